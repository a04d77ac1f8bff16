// Starts the server with its messages on stderr: on stdout, they would stand between the answers.
console.debug = console.log = console.error;
await import(new URL("node_modules/.bin/mcp-server-filesystem", import.meta.url));
