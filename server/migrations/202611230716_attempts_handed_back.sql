-- Attempts that runners handed back before anything of the task had begun do not count against its retries.
alter table run_tasks add column handed_back integer not null default 0 check (handed_back >= 0);

-- The runner that handed back the attempt before: this one is not for it at once.
alter table attempts add column handed_back_by uuid references runners (id);
