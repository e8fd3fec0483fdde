-- What there was keeps its meaning: commits that ask to be skipped start it all the same.
alter table triggers add column skip_ci boolean not null default false;

-- The default was for the rows that there were; a new trigger says what it wants.
alter table triggers alter column skip_ci drop default;
