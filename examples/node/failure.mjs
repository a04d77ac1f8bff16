/** A call that fails, with the kind that the protocol gives it. */
export class Failure extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}
