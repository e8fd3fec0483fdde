-- A provider may name no more than the beginning of a head: until somebody asks for the whole, the pull request holds it.
alter table pull_request_heads alter column head_sha drop not null;
