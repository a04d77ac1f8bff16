module localfiles

go 1.21
