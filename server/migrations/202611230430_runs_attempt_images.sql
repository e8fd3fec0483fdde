-- What the containers of an attempt were made of, by digest; null on the host, and where none was started.
alter table attempts add column images jsonb;
