// Starts the server with a configuration of its own, which permits one directory and sends no statistics.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";

process.env.HOME = mkdtempSync(`${process.env.HOME}/`);
mkdirSync(`${process.env.HOME}/.claude-server-commander`);
const configuration = { allowedDirectories: [process.argv[2]], telemetryEnabled: false };
writeFileSync(`${process.env.HOME}/.claude-server-commander/config.json`, JSON.stringify(configuration));
process.argv.push("--no-onboarding");
await import(new URL("node_modules/@wonderwhy-er/desktop-commander/dist/index.js", import.meta.url));
