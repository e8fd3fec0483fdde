-- The provider gives the key of a new app once. Its answer is stored before anything is made of it.
alter table git_app_flows
  -- The answer, sealed; null: there is none yet, or the app is made of it
  add column exchanged bytea,
  -- What became of a registration whose state is spent; null: it goes on, or the service ended while it asked
  add column outcome text check (
    outcome in ('registered', 'denied', 'exchange_failed', 'provider_unreachable', 'already_registered', 'unavailable')
  ),
  add column ended_at timestamptz,
  add constraint git_app_flows_end_has_time check ((outcome is null) = (ended_at is null)),
  add constraint git_app_flows_answer_goes check (exchanged is null or (consumed_at is not null and outcome is null));
-- For what became of the newest registration.
create index git_app_flows_by_provider on git_app_flows (provider, created_at desc) where flow = 'register';
