module foreign-list-directory

go 1.22
