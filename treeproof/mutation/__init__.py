"""Does the suite bite? The zoo of wrong implementations against the scenarios that should catch them."""
