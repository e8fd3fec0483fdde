-- Whether the pull request of an event gets a comment that shows what became of it.
alter table triggers add column report_comment boolean not null default false;
