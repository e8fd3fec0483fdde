-- Runs that a command repeated: it was given for them, as for the runs that it made of them.
alter table comment_commands add column repeated_run_ids uuid[] not null default '{}';
-- The commands of one run. Commands are rare, so the cost of such an index does not matter.
create index comment_commands_of_runs on comment_commands using gin ((run_ids || repeated_run_ids));
