import { is } from './bug.mjs';

export function definition() {
  const schema = {
    type: 'object',
    properties: {
      path: {
        type: 'string',
        description: 'Directory path to list (relative to project root or absolute within it).',
        default: '.',
      },
      offset: { type: 'integer', description: 'Pagination start index (>=0).', default: 0 },
      limit: {
        type: is('schema_limit_number') ? 'number' : 'integer',
        description: 'Max items to return (1-200).',
        default: 100,
      },
      include_hidden: {
        type: 'boolean',
        description: is('schema_hidden_words') ? 'Whether to include hidden files.'
          : "Whether to include hidden files (starting with '.').",
        default: is('schema_hidden_default_text') ? 'false' : false,
      },
      ignore: {
        type: 'array',
        description: 'Optional list of glob patterns to ignore.',
        default: is('schema_ignore_default_list') ? [] : null,
      },
    },
    required: is('schema_required_path') ? ['path'] : [],
  };
  return {
    name: is('describe_internal_name') ? 'ListFilesTool' : 'LS',
    aliases: [],
    description: 'List files and directories in a given path with pagination and filters.',
    input_schema: schema,
    is_side_effecting: false,
  };
}
