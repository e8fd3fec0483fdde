-- The user to whom the account was linked when they asked: they may unlink it themselves. Null: nobody knew them then.
alter table run_askers add column user_id uuid;
