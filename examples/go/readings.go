// Which readings of the document the candidate takes: the recommended ones, or with -other-readings other ones.
package main

import (
	"os"
	"slices"
)

var otherReadings = slices.Contains(os.Args[1:], "-other-readings")

// declaredReadings are those that a candidate has to declare, as the report of a run calls them.
func declaredReadings() object {
	if !otherReadings {
		// The conversion by Go of a string that is not UTF-8: one U+FFFD per byte.
		return object{"AMB-LD-12": "per_byte"}
	}
	return object{
		"AMB-LD-03": "append", "AMB-LD-12": "per_run", "AMB-LD-26": "nearest",
		"AMB-LD-28": "absent", "AMB-LD-36": "refuse", "AMB-LD-69": "absent",
	}
}
