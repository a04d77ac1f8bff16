export const BUG = process.env.TREEPROOF_BUG ?? "";
export const bug = (name) => BUG === name;
export class Failure extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}
