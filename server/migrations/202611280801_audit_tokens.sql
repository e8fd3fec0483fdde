-- The token of the request that wrote the record; null for a session, the bootstrap token and the product itself. No
-- reference: a token ends with its owner, a record never.
alter table audit_records add column token_id uuid;
create index audit_records_by_token on audit_records (token_id, id desc) where token_id is not null;
-- An action, or the beginning of one, such as `token.`: of rare actions the newest are found without a look at all others.
create index audit_records_by_action on audit_records (action collate "C", id desc);
-- Calls of tools name their tool as the resource, which has an index; those of one client are looked for by this one.
create index audit_records_by_client on audit_records ((after ->> 'client'), id desc) where action = 'tool.called';
