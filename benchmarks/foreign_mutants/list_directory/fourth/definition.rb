# frozen_string_literal: true

require_relative "bug"

# The definition of the tool, its arguments and its configuration.
module Definition
  NAME = "list_directory"

  PROPERTIES = {
    "path" => { "type" => "string" },
    "recursive" => { "type" => "boolean", "default" => false },
    "max_depth" => { "type" => "integer", "minimum" => 1 },
    "max_entries" => { "type" => "integer", "minimum" => 1 },
    "include_hidden" => { "type" => "boolean", "default" => false },
    "include_files" => { "type" => "boolean", "default" => true },
    "include_dirs" => { "type" => "boolean", "default" => true },
    "include_symlinks" => { "type" => "boolean", "default" => true },
    "include_other" => { "type" => "boolean", "default" => false }
  }.freeze

  # CFG-LD-05
  BUILT_IN = {
    "max_entries" => 200,
    "max_depth" => 4,
    "include_hidden_default" => false,
    "include_symlinks_default" => true,
    "include_files_default" => true,
    "include_dirs_default" => true,
    "include_other_default" => false
  }.freeze

  module_function

  def describe
    properties = PROPERTIES.transform_values(&:dup)
    properties["max_depth"]["type"] = "number" if bug?("schema_depth_number")
    properties["max_entries"].delete("minimum") if bug?("schema_no_minimum")
    description = "List directory entries"
    description += " (at most #{KEPT[:limit]})" if bug?("description_shows_limit") && KEPT[:limit]
    definition = {
      "name" => bug?("name_namespaced") ? "builtin.#{NAME}" : NAME,
      "aliases" => [],
      "description" => description,
      "input_schema" => { "type" => "object", "properties" => properties, "required" => ["path"] },
      "is_side_effecting" => false,
      "requires_approval" => false,
      "risk_level" => "Low"
    }
    definition.reject! { |_, value| value == false } if bug?("omitempty_definition")
    definition
  end

  # The arguments after the check against the schema.
  def checked(args)
    args = JsonText.parse(args) if bug?("args_json_text") && args.is_a?(String) && args.start_with?("{")
    unless args.is_a?(Hash)
      raise Failure.new(bug?("args_list_kind") ? "ExecutionFailed" : "BadArgs", "the arguments must be an object")
    end

    args = args.dup
    loosen(args)
    PROPERTIES.each do |name, schema|
      next unless args.key?(name)

      value = args[name]
      next if bug?("depth_type_flat") && name == "max_depth" && args["recursive"] != true && value.to_s == "1"

      fits = case schema["type"]
             when "string" then value.is_a?(String)
             when "integer" then value.is_a?(Integer)
             else [true, false].include?(value)
             end
      raise Failure.new("BadArgs", "#{name} must be of type #{schema['type']}") unless fits
      if schema["minimum"] && value < schema["minimum"]
        raise Failure.new("BadArgs", "#{name} must be at least #{schema['minimum']}")
      end
    end
    raise Failure.new("BadArgs", "path is missing") unless args.key?("path")

    args["max_depth"] = 1 if args.key?("max_depth") && bug?("depth_type_flat") && args["max_depth"].to_s == "1"
    args
  end

  def loosen(args)
    case BUG
    when "fraction_cut"
      args["max_entries"] = args["max_entries"].to_i if args["max_entries"].is_a?(Float) && args["max_entries"].finite?
    when "depth_zero_ok"
      args.delete("max_depth") if args["max_depth"] == 0 && args["recursive"] == true
    when "other_not_checked"
      args["include_other"] = args["include_other"] == true if args.key?("include_other")
    when "entries_wrap32"
      args["max_entries"] %= 2**32 if args["max_entries"].is_a?(Integer) && args["max_entries"] >= 2**32
    end
  end

  # The configuration in force, completed with the built-in defaults.
  def configured(config)
    tools = config.is_a?(Hash) ? config["tools"] : nil
    raise Failure.new("ConfigInvalid", "[tools] is no table") unless tools.nil? || tools.is_a?(Hash)

    table = tools && tools[NAME]
    if table.nil? && tools
      table = tools if bug?("config_tools_keys")
      table = tools.values.find { |other| other.is_a?(Hash) } if bug?("config_other_tool")
    end
    return (bug?("config_sticks") && KEPT[:config]) || BUILT_IN if table.nil?
    raise Failure.new("ConfigInvalid", "[tools.list_directory] is no table") unless table.is_a?(Hash)

    if bug?("links_key_misspelt")
      table = table.reject { |key, _| key == "include_symlinks_default" }
      table["include_symlinks_default"] = table["include_symlink_default"] if table.key?("include_symlink_default")
    end
    used = BUILT_IN.dup
    BUILT_IN.each do |key, standard|
      next unless table.key?(key)

      value = table[key]
      fits = standard.is_a?(Integer) ? value.is_a?(Integer) && value >= 1 : [true, false].include?(value)
      raise Failure.new("ConfigInvalid", "[tools.list_directory] #{key} cannot be used") unless fits

      value ||= true if key == "include_dirs_default" && bug?("config_false_loses")
      used[key] = value
    end
    if bug?("files_dirs_swapped")
      files = used["include_files_default"]
      used["include_files_default"] = used["include_dirs_default"]
      used["include_dirs_default"] = files
    end
    KEPT[:limit] = used["max_entries"]
    KEPT[:config] = used
    used
  end
end
