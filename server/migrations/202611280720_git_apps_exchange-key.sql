-- The answer to a registration is sealed anew, like keys, when secret_key gets a higher version.
alter table git_app_flows
  -- The version of secret_key that sealed the answer; null: there is none, or an older server stored it
  add column exchanged_key_version integer;
-- For the job that seals anew: registrations wait for moments, so few rows are in it.
create index git_app_flows_answered on git_app_flows (exchanged_key_version) where exchanged is not null;
