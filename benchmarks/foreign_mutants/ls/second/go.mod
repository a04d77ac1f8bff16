module foreign-ls

go 1.21
