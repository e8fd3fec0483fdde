-- Heads are kept for each source: what another team's hook, or whoever posts an event, tells of a pull request must not
-- choose the commit that a comment starts here. Those seen so far name no source; they are told again.
delete from pull_request_heads;
alter table pull_request_heads drop constraint pull_request_heads_pkey;
alter table pull_request_heads add column source_id uuid not null;
alter table pull_request_heads add primary key (source_id, repository, number);
