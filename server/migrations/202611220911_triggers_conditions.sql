-- What there was keeps its meaning: no labels asked for, drafts count, comments start whatever asked for them.
alter table triggers
  add column labels text[] not null default '{}',
  add column draft text not null default 'any' check (draft in ('any', 'exclude', 'only')),
  add column commands text[] not null default '{}',
  add column commenters text[] not null default '{}',
  add column concurrency_group text,
  add column on_conflict text check (on_conflict in ('cancel_running', 'queue', 'skip')),
  add constraint triggers_group_is_whole check ((concurrency_group is null) = (on_conflict is null));

-- Defaults were for the rows that there were; a new trigger says what it wants.
alter table triggers
  alter column labels drop default,
  alter column draft drop default,
  alter column commands drop default,
  alter column commenters drop default;
