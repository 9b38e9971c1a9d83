// Statistics begins here.
