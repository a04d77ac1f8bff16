// Which readings of the document the candidate takes: the recommended ones, or with `--other-readings` other ones.

export const other = process.argv.includes("--other-readings");

/** Readings that the candidate pins: no other one is then accepted of it. */
export const declared = other
  ? {
      "AMB-LD-15": "any_valid",
      "AMB-LD-17": "longer",
      "AMB-LD-21": "resolve",
      "AMB-LD-22": "always",
      "AMB-LD-26": "trunc",
      "AMB-LD-28": "absent",
      "AMB-LD-29": "reject",
      "AMB-LD-69": "absent",
    }
  : {};
