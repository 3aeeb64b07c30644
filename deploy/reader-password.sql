-- Gives keyroster_reader the password of the variable READER_PASSWORD: for compose.yaml, by psql.
\getenv password READER_PASSWORD
ALTER ROLE keyroster_reader PASSWORD :'password';
