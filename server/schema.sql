-- The schema after all migrations. Generated: change it by a migration, then run "npm run generate".

create sequence attempt_fences as bigint start 1 increment 1;

create table access_revision (
  one boolean default true not null,
  revision bigint not null,
  bootstrap_revoked_at timestamp with time zone,
  constraint access_revision_pkey PRIMARY KEY (one),
  constraint access_revision_one_check CHECK (one)
);

create table approval_approvers (
  approver text collate "C" not null,
  team_path text collate "C" not null,
  request_id uuid not null,
  constraint approval_approvers_pkey PRIMARY KEY (approver, team_path, request_id),
  constraint approval_approvers_request_id_fkey FOREIGN KEY (request_id) REFERENCES approval_requests(id) ON DELETE CASCADE
);
CREATE INDEX approval_approvers_by_request ON approval_approvers USING btree (request_id);

create table approval_decisions (
  request_id uuid not null,
  subject_kind text not null,
  subject_id text not null,
  subject_name text not null,
  decision text not null,
  comment text,
  fields jsonb not null,
  commit_sha text,
  lapsed text,
  decided_at timestamp with time zone not null,
  constraint approval_decisions_pkey PRIMARY KEY (request_id, subject_kind, subject_id),
  constraint approval_decisions_decision_check CHECK (decision = ANY (ARRAY['approve'::text, 'reject'::text])),
  constraint approval_decisions_request_id_fkey FOREIGN KEY (request_id) REFERENCES approval_requests(id) ON DELETE CASCADE,
  constraint approval_decisions_subject_kind_check CHECK (subject_kind = ANY (ARRAY['user'::text, 'service_account'::text, 'bootstrap'::text, 'system'::text]))
);

create table approval_requests (
  id uuid not null,
  run_id uuid not null,
  step text not null,
  team_path text collate "C" not null,
  pipeline_identifier text collate "C" not null,
  scope text collate "C" not null,
  initiator_kind text not null,
  initiator_id text not null,
  initiator_name text not null,
  repository text,
  commit_sha text,
  pipeline_version_id uuid not null,
  approvers text[] not null,
  required integer not null,
  allow_self boolean not null,
  message text,
  fields jsonb not null,
  status text not null,
  requested_at timestamp with time zone not null,
  deadline_at timestamp with time zone not null,
  remind_at timestamp with time zone,
  reminded_at timestamp with time zone,
  decided_at timestamp with time zone,
  applied_at timestamp with time zone,
  constraint approval_requests_pkey PRIMARY KEY (id),
  constraint approval_requests_applied_after_decision CHECK (applied_at IS NULL OR decided_at IS NOT NULL),
  constraint approval_requests_approvers_check CHECK (cardinality(approvers) > 0),
  constraint approval_requests_decided_when_over CHECK ((status = 'waiting'::text) = (decided_at IS NULL)),
  constraint approval_requests_initiator_kind_check CHECK (initiator_kind = ANY (ARRAY['user'::text, 'service_account'::text, 'bootstrap'::text, 'system'::text])),
  constraint approval_requests_once UNIQUE (run_id, step),
  constraint approval_requests_pipeline_version_id_fkey FOREIGN KEY (pipeline_version_id) REFERENCES pipeline_versions(id),
  constraint approval_requests_required_check CHECK (required > 0),
  constraint approval_requests_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE,
  constraint approval_requests_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'approved'::text, 'rejected'::text, 'timed_out'::text, 'withdrawn'::text]))
);
CREATE INDEX approval_requests_decided ON approval_requests USING btree (team_path, decided_at, id) WHERE status = ANY (ARRAY['approved'::text, 'rejected'::text, 'timed_out'::text]);
CREATE INDEX approval_requests_to_apply ON approval_requests USING btree (decided_at) WHERE applied_at IS NULL AND (status = ANY (ARRAY['approved'::text, 'rejected'::text, 'timed_out'::text]));
CREATE INDEX approval_requests_waiting ON approval_requests USING btree (team_path) WHERE status = 'waiting'::text;

create table artifacts (
  id uuid not null,
  run_id uuid not null,
  attempt_id uuid not null,
  step text not null,
  task text not null,
  name text not null,
  team_path text collate "C" not null,
  blob_id uuid not null,
  files integer not null,
  size bigint not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint artifacts_pkey PRIMARY KEY (id),
  constraint artifacts_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs(id),
  constraint artifacts_files_check CHECK (files >= 0),
  constraint artifacts_once UNIQUE (attempt_id, name),
  constraint artifacts_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE,
  constraint artifacts_size_check CHECK (size >= 0)
);
CREATE INDEX artifacts_by_blob ON artifacts USING btree (blob_id);
CREATE INDEX artifacts_by_expiry ON artifacts USING btree (expires_at);
CREATE INDEX artifacts_by_team ON artifacts USING btree (team_path) INCLUDE (size);
CREATE INDEX artifacts_of_run ON artifacts USING btree (run_id, step, task, id);

create table asked_reruns (
  delivery_record_id uuid not null,
  run_id uuid not null,
  rerun_id uuid,
  asked_at timestamp with time zone not null,
  constraint asked_reruns_pkey PRIMARY KEY (delivery_record_id, run_id)
);

create table attempts (
  id uuid not null,
  run_id uuid not null,
  step text not null,
  task text not null,
  number integer not null,
  status text not null,
  scope text collate "C" not null,
  requirement jsonb not null,
  lane text collate "C" generated always as (((scope || ' '::text) || (requirement)::text)) stored not null,
  fence bigint,
  runner_id uuid,
  handed_back_by uuid,
  child_run_id uuid,
  cancel_requested_at timestamp with time zone,
  cancel_reason text,
  exit_code integer,
  reason text,
  images jsonb,
  end_reported boolean default false not null,
  created_at timestamp with time zone not null,
  leased_at timestamp with time zone,
  lease_expires_at timestamp with time zone,
  started_at timestamp with time zone,
  deadline_at timestamp with time zone,
  finished_at timestamp with time zone,
  constraint attempts_pkey PRIMARY KEY (id),
  constraint attempts_child_has_run CHECK (status <> 'child'::text OR child_run_id IS NOT NULL),
  constraint attempts_child_run_id_fkey FOREIGN KEY (child_run_id) REFERENCES runs(id),
  constraint attempts_fence_taken UNIQUE (fence),
  constraint attempts_finished_when_over CHECK ((status = ANY (ARRAY['waiting'::text, 'leased'::text, 'child'::text])) = (finished_at IS NULL)),
  constraint attempts_handed_back_by_fkey FOREIGN KEY (handed_back_by) REFERENCES runners(id),
  constraint attempts_leased_have_runner CHECK (status <> 'leased'::text OR runner_id IS NOT NULL AND fence IS NOT NULL AND lease_expires_at IS NOT NULL),
  constraint attempts_number_check CHECK (number > 0),
  constraint attempts_run_id_step_task_fkey FOREIGN KEY (run_id, step, task) REFERENCES run_tasks(run_id, step, task) ON DELETE CASCADE,
  constraint attempts_run_or_runner CHECK (child_run_id IS NULL OR runner_id IS NULL),
  constraint attempts_runner_id_fkey FOREIGN KEY (runner_id) REFERENCES runners(id),
  constraint attempts_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'leased'::text, 'child'::text, 'success'::text, 'failure'::text, 'timed_out'::text, 'canceled'::text, 'lost'::text])),
  constraint attempts_taken UNIQUE (run_id, step, task, number)
);
CREATE INDEX attempts_by_deadline ON attempts USING btree (deadline_at) WHERE status = 'child'::text AND deadline_at IS NOT NULL;
CREATE INDEX attempts_by_lease ON attempts USING btree (lease_expires_at) WHERE status = 'leased'::text;
CREATE INDEX attempts_by_runner ON attempts USING btree (runner_id) WHERE status = 'leased'::text;
CREATE UNIQUE INDEX attempts_child_taken ON attempts USING btree (child_run_id) WHERE child_run_id IS NOT NULL;
CREATE INDEX attempts_pinned ON attempts USING btree (id) WHERE status = 'waiting'::text AND requirement ? 'runner'::text;
CREATE INDEX attempts_waiting ON attempts USING btree (lane, run_id, id) WHERE status = 'waiting'::text;
CREATE INDEX attempts_with_child ON attempts USING btree (child_run_id) WHERE status = 'child'::text;

create table audit_records (
  id uuid not null,
  occurred_at timestamp with time zone not null,
  actor_kind text not null,
  actor_id text not null,
  actor_name text not null,
  action text not null,
  resource_kind text not null,
  resource_id text not null,
  team_path text collate "C" not null,
  address text not null,
  request_id text not null,
  before jsonb,
  after jsonb,
  token_id uuid,
  constraint audit_records_pkey PRIMARY KEY (id),
  constraint audit_records_actor_kind_check CHECK (actor_kind = ANY (ARRAY['user'::text, 'service_account'::text, 'bootstrap'::text, 'system'::text, 'runner'::text]))
);
CREATE INDEX audit_records_by_action ON audit_records USING btree (action COLLATE "C", id DESC);
CREATE INDEX audit_records_by_actor ON audit_records USING btree (actor_id, id DESC);
CREATE INDEX audit_records_by_client ON audit_records USING btree ((after ->> 'client'::text), id DESC) WHERE action = 'tool.called'::text;
CREATE INDEX audit_records_by_plan ON audit_records USING btree ((after ->> 'plan_id'::text), id) WHERE (after ->> 'plan_id'::text) IS NOT NULL;
CREATE INDEX audit_records_by_resource ON audit_records USING btree (resource_kind, resource_id, id DESC);
CREATE INDEX audit_records_by_team ON audit_records USING btree (team_path, id DESC);
CREATE INDEX audit_records_by_token ON audit_records USING btree (token_id, id DESC) WHERE token_id IS NOT NULL;

create table blob_parts (
  blob_id uuid not null,
  number integer not null,
  size integer not null,
  sha256 text not null,
  object text collate "C" not null,
  constraint blob_parts_pkey PRIMARY KEY (blob_id, number),
  constraint blob_parts_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs(id) ON DELETE CASCADE,
  constraint blob_parts_number_check CHECK (number >= 0),
  constraint blob_parts_sha256_check CHECK (sha256 ~ '^[0-9a-f]{64}$'::text),
  constraint blob_parts_size_check CHECK (size > 0)
);

create table blobs (
  id uuid not null,
  team_path text collate "C" not null,
  sha256 text not null,
  size bigint not null,
  purpose text not null,
  announced_by uuid,
  created_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  used_at timestamp with time zone,
  touched_at timestamp with time zone not null,
  constraint blobs_pkey PRIMARY KEY (id),
  constraint blobs_once UNIQUE (team_path, sha256, size),
  constraint blobs_purpose_check CHECK (purpose = ANY (ARRAY['artifact'::text, 'cache'::text])),
  constraint blobs_sha256_check CHECK (sha256 ~ '^[0-9a-f]{64}$'::text),
  constraint blobs_size_check CHECK (size >= 0)
);
CREATE INDEX blobs_by_touch ON blobs USING btree (touched_at);
CREATE INDEX blobs_waiting ON blobs USING btree (team_path, purpose) INCLUDE (size) WHERE used_at IS NULL;

create table cache_entries (
  id uuid not null,
  team_path text collate "C" not null,
  namespace text collate "C" not null,
  key text collate "C" not null,
  blob_id uuid not null,
  size bigint not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  constraint cache_entries_pkey PRIMARY KEY (id),
  constraint cache_entries_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs(id),
  constraint cache_entries_once UNIQUE (team_path, namespace, key),
  constraint cache_entries_size_check CHECK (size >= 0)
);
CREATE INDEX cache_entries_by_age ON cache_entries USING btree (used_at);
CREATE INDEX cache_entries_by_blob ON cache_entries USING btree (blob_id);
CREATE INDEX cache_entries_by_use ON cache_entries USING btree (team_path, used_at) INCLUDE (size);

create table comment_command_counts (
  source_id uuid not null,
  counted text not null,
  window_start timestamp with time zone not null,
  admitted integer not null,
  refused integer default 0 not null,
  constraint comment_command_counts_pkey PRIMARY KEY (source_id, counted, window_start)
);

create table comment_commands (
  id uuid not null,
  source_id uuid not null,
  repository_key text not null,
  repository text not null,
  pull_request bigint not null,
  comment_id text not null,
  delivery_record_id uuid not null,
  event_id uuid not null,
  event json not null,
  body_sha256 bytea not null,
  author_id text,
  author_login text,
  state text not null,
  command text,
  verb text,
  outcome text,
  reason text,
  subject_kind text,
  subject_id text,
  subject_name text,
  run_ids uuid[] default '{}'::uuid[] not null,
  received_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  told_at timestamp with time zone,
  repeated_run_ids uuid[] default '{}'::uuid[] not null,
  constraint comment_commands_pkey PRIMARY KEY (id),
  constraint comment_commands_decided CHECK ((state = 'waiting'::text) = (decided_at IS NULL)),
  constraint comment_commands_outcome_check CHECK (outcome = ANY (ARRAY['started'::text, 'rerun'::text, 'canceled'::text, 'approved'::text, 'answered'::text, 'ignored'::text, 'switched_off'::text, 'expired'::text, 'edited'::text, 'deleted'::text, 'bot'::text, 'malformed'::text, 'not_linked'::text, 'not_permitted'::text, 'head_moved'::text, 'nothing_to_do'::text, 'not_possible'::text, 'provider_failed'::text])),
  constraint comment_commands_pull_request_check CHECK (pull_request > 0),
  constraint comment_commands_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'done'::text, 'refused'::text, 'failed'::text])),
  constraint comment_commands_verb_check CHECK (verb = ANY (ARRAY['run'::text, 'rerun'::text, 'cancel'::text, 'approve'::text, 'ok-to-test'::text, 'why'::text, 'help'::text]))
);
CREATE INDEX comment_commands_by_age ON comment_commands USING btree (received_at);
CREATE UNIQUE INDEX comment_commands_comment ON comment_commands USING btree (source_id, repository_key, comment_id);
CREATE INDEX comment_commands_of_runs ON comment_commands USING gin ((run_ids || repeated_run_ids));
CREATE INDEX comment_commands_of_source ON comment_commands USING btree (source_id, id DESC);
CREATE INDEX comment_commands_untold ON comment_commands USING btree (received_at) WHERE told_at IS NULL;

create table commented_runs (
  run_id uuid not null,
  source_id uuid not null,
  repository text collate "C" not null,
  number integer not null,
  constraint commented_runs_pkey PRIMARY KEY (run_id)
);
CREATE INDEX commented_runs_of_comment ON commented_runs USING btree (source_id, repository, number, run_id);

create table commit_statuses (
  source_id uuid not null,
  repository text collate "C" not null,
  commit_sha text collate "C" not null,
  context text collate "C" not null,
  run_id uuid not null,
  told text,
  held_until timestamp with time zone,
  constraint commit_statuses_pkey PRIMARY KEY (source_id, repository, commit_sha, context)
);
CREATE INDEX commit_statuses_by_run ON commit_statuses USING btree (run_id);

create table deliveries (
  id uuid not null,
  source_id uuid not null,
  delivery_id text,
  event_type text not null,
  action text,
  repository text,
  ref text,
  commit_sha text,
  sender text,
  result text not null,
  verification text not null,
  status_code integer not null,
  reason text not null,
  unusable boolean default false not null,
  run_ids uuid[] not null,
  duplicate_of uuid,
  replay_of uuid,
  trace json not null,
  payload_bytes integer not null,
  payload_block_id uuid,
  payload_offset integer,
  headers_bytes integer,
  received_at timestamp with time zone not null,
  duration_ms real not null,
  constraint deliveries_pkey PRIMARY KEY (id),
  constraint deliveries_result_check CHECK (result = ANY (ARRAY['accepted'::text, 'ignored'::text, 'duplicate'::text, 'unprocessable'::text, 'rejected'::text])),
  constraint deliveries_verification_check CHECK (verification = ANY (ARRAY['verified'::text, 'missing'::text, 'mismatch'::text, 'not_checked'::text]))
) partition by RANGE (id);
CREATE INDEX deliveries_by_commit ON ONLY deliveries USING btree (source_id, commit_sha COLLATE "C", id DESC) WHERE commit_sha IS NOT NULL;
CREATE INDEX deliveries_by_event_type ON ONLY deliveries USING btree (source_id, event_type, id DESC);
CREATE INDEX deliveries_by_ref ON ONLY deliveries USING btree (source_id, lower(repository), ref, id DESC) WHERE ref IS NOT NULL;
CREATE INDEX deliveries_by_repository ON ONLY deliveries USING btree (source_id, lower(repository), id DESC);
CREATE INDEX deliveries_by_result ON ONLY deliveries USING btree (source_id, result, id DESC);
CREATE INDEX deliveries_by_source ON ONLY deliveries USING btree (source_id, id DESC);
CREATE INDEX deliveries_unusable ON ONLY deliveries USING btree (source_id, id DESC) WHERE unusable;
CREATE INDEX deliveries_without_key ON ONLY deliveries USING btree (source_id, delivery_id, id) WHERE result <> 'accepted'::text AND replay_of IS NULL AND (verification = 'verified'::text OR verification = 'not_checked'::text AND status_code = 404);

create table deliveries_default partition of deliveries DEFAULT;
CREATE INDEX deliveries_default_source_id_commit_sha_id_idx ON deliveries_default USING btree (source_id, commit_sha COLLATE "C", id DESC) WHERE commit_sha IS NOT NULL;
CREATE INDEX deliveries_default_source_id_delivery_id_id_idx ON deliveries_default USING btree (source_id, delivery_id, id) WHERE result <> 'accepted'::text AND replay_of IS NULL AND (verification = 'verified'::text OR verification = 'not_checked'::text AND status_code = 404);
CREATE INDEX deliveries_default_source_id_event_type_id_idx ON deliveries_default USING btree (source_id, event_type, id DESC);
CREATE INDEX deliveries_default_source_id_id_idx ON deliveries_default USING btree (source_id, id DESC);
CREATE INDEX deliveries_default_source_id_id_idx1 ON deliveries_default USING btree (source_id, id DESC) WHERE unusable;
CREATE INDEX deliveries_default_source_id_lower_id_idx ON deliveries_default USING btree (source_id, lower(repository), id DESC);
CREATE INDEX deliveries_default_source_id_lower_ref_id_idx ON deliveries_default USING btree (source_id, lower(repository), ref, id DESC) WHERE ref IS NOT NULL;
CREATE INDEX deliveries_default_source_id_result_id_idx ON deliveries_default USING btree (source_id, result, id DESC);

create table delivery_keys (
  source_id uuid not null,
  delivery_id text not null,
  delivery_record_id uuid not null,
  constraint delivery_keys_pkey PRIMARY KEY (source_id, delivery_id)
);
CREATE INDEX delivery_keys_by_record ON delivery_keys USING btree (delivery_record_id);

create table delivery_payloads (
  id uuid not null,
  source_id uuid not null,
  received_at timestamp with time zone not null,
  block_zstd bytea not null,
  constraint delivery_payloads_pkey PRIMARY KEY (id)
) partition by RANGE (id);
CREATE INDEX delivery_payloads_by_source ON ONLY delivery_payloads USING btree (source_id);

create table delivery_payloads_default partition of delivery_payloads DEFAULT;
CREATE INDEX delivery_payloads_default_source_id_idx ON delivery_payloads_default USING btree (source_id);

create table emergencies (
  id uuid not null,
  scope text collate "C" not null,
  team_path text collate "C" not null,
  reason text not null,
  declared_kind text not null,
  declared_id text not null,
  declared_by text not null,
  declared_at timestamp with time zone not null,
  lifted_kind text,
  lifted_id text,
  lifted_by text,
  lifted_at timestamp with time zone,
  lift_reason text,
  constraint emergencies_pkey PRIMARY KEY (id),
  constraint emergencies_declared_kind_check CHECK (declared_kind = ANY (ARRAY['user'::text, 'service_account'::text, 'bootstrap'::text, 'system'::text])),
  constraint emergencies_lifted_by_somebody CHECK ((lifted_at IS NULL) = (lifted_by IS NULL) AND (lifted_at IS NULL) = (lifted_kind IS NULL) AND (lifted_at IS NULL) = (lifted_id IS NULL) AND (lifted_at IS NOT NULL OR lift_reason IS NULL)),
  constraint emergencies_lifted_kind_check CHECK (lifted_kind = ANY (ARRAY['user'::text, 'service_account'::text, 'bootstrap'::text, 'system'::text]))
);
CREATE INDEX emergencies_active ON emergencies USING btree (id) WHERE lifted_at IS NULL;
CREATE INDEX emergencies_by_team ON emergencies USING btree (team_path, id);
CREATE TRIGGER emergencies_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON emergencies FOR EACH STATEMENT EXECUTE FUNCTION notify_knowledge_changed();
CREATE TRIGGER emergencies_wake AFTER INSERT OR UPDATE ON emergencies FOR EACH STATEMENT EXECUTE FUNCTION notify_emergencies_changed();

create table environments (
  id uuid not null,
  team_id uuid not null,
  name text collate "C" not null,
  protected boolean not null,
  allowed_subjects text[] not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint environments_pkey PRIMARY KEY (id),
  constraint environments_name_check CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'::text),
  constraint environments_name_taken UNIQUE (team_id, name),
  constraint environments_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE RESTRICT
);
CREATE TRIGGER environments_raise_access_revision AFTER INSERT OR DELETE OR UPDATE ON environments FOR EACH STATEMENT EXECUTE FUNCTION raise_access_revision();

create table event_starts (
  happening bytea not null,
  starter text collate "C" not null,
  generation integer default 1 not null,
  page text,
  repository_id text,
  run_id uuid not null,
  delivery_record_id uuid,
  made_at timestamp with time zone not null,
  same_until timestamp with time zone not null,
  constraint event_starts_pkey PRIMARY KEY (happening, starter, generation),
  constraint event_starts_generation_check CHECK (generation > 0),
  constraint event_starts_happening_check CHECK (length(happening) = 32)
);
CREATE INDEX event_starts_by_age ON event_starts USING brin (same_until);

create table external_triggers (
  id uuid not null,
  team_path text collate "C" not null,
  name text collate "C" not null,
  pipeline text collate "C" not null,
  scope text collate "C" not null,
  variables jsonb not null,
  allowed_variables text[] not null,
  run_team_path text collate "C",
  rate_per_minute integer not null,
  enabled boolean not null,
  secret_sha256 bytea not null,
  secret_set_at timestamp with time zone not null,
  owner_kind text not null,
  owner_id text not null,
  owner_name text not null,
  last_fired_at timestamp with time zone,
  last_run_id uuid,
  last_refusal text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint external_triggers_pkey PRIMARY KEY (id),
  constraint external_triggers_name_check CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'::text),
  constraint external_triggers_name_taken UNIQUE (team_path, name),
  constraint external_triggers_owner_kind_check CHECK (owner_kind = ANY (ARRAY['user'::text, 'service_account'::text, 'bootstrap'::text])),
  constraint external_triggers_rate_per_minute_check CHECK (rate_per_minute >= 1 AND rate_per_minute <= 10000),
  constraint external_triggers_run_team_path_fkey FOREIGN KEY (run_team_path) REFERENCES teams(path) ON UPDATE CASCADE ON DELETE SET NULL,
  constraint external_triggers_secret_sha256_check CHECK (octet_length(secret_sha256) = 32),
  constraint external_triggers_team_path_fkey FOREIGN KEY (team_path) REFERENCES teams(path) ON UPDATE CASCADE ON DELETE RESTRICT,
  constraint external_triggers_variables_check CHECK (jsonb_typeof(variables) = 'object'::text)
);
CREATE INDEX external_triggers_by_pipeline ON external_triggers USING btree (pipeline);

create table facts (
  id uuid not null,
  kind text not null,
  version integer not null,
  payload jsonb not null,
  occurred_at timestamp with time zone not null,
  constraint facts_pkey PRIMARY KEY (id),
  constraint facts_kind_check CHECK (kind ~ '^[a-z_]+\.[a-z_]+$'::text),
  constraint facts_version_check CHECK (version > 0)
);

create table git_app_flows (
  state_sha256 bytea not null,
  flow text not null,
  provider text not null,
  starter_kind text not null,
  starter_id text not null,
  session_id text,
  document jsonb not null,
  source_id uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  consumed_at timestamp with time zone,
  exchanged bytea,
  outcome text,
  ended_at timestamp with time zone,
  exchanged_key_version integer,
  constraint git_app_flows_pkey PRIMARY KEY (state_sha256),
  constraint git_app_flows_answer_goes CHECK (exchanged IS NULL OR consumed_at IS NOT NULL AND outcome IS NULL),
  constraint git_app_flows_end_has_time CHECK ((outcome IS NULL) = (ended_at IS NULL)),
  constraint git_app_flows_flow_check CHECK (flow = ANY (ARRAY['register'::text, 'install'::text])),
  constraint git_app_flows_outcome_check CHECK (outcome = ANY (ARRAY['registered'::text, 'denied'::text, 'exchange_failed'::text, 'provider_unreachable'::text, 'already_registered'::text, 'unavailable'::text])),
  constraint git_app_flows_provider_check CHECK (provider = ANY (ARRAY['github'::text, 'gitea'::text, 'forgejo'::text, 'gitlab'::text])),
  constraint git_app_flows_registration_has_source CHECK ((flow = 'register'::text) = (source_id IS NOT NULL)),
  constraint git_app_flows_sessions_of_users CHECK (session_id IS NULL OR starter_kind = 'user'::text),
  constraint git_app_flows_starter_kind_check CHECK (starter_kind = ANY (ARRAY['user'::text, 'service_account'::text, 'bootstrap'::text])),
  constraint git_app_flows_state_sha256_check CHECK (octet_length(state_sha256) = 32)
);
CREATE INDEX git_app_flows_answered ON git_app_flows USING btree (exchanged_key_version) WHERE exchanged IS NOT NULL;
CREATE INDEX git_app_flows_by_expiry ON git_app_flows USING btree (expires_at);
CREATE INDEX git_app_flows_by_provider ON git_app_flows USING btree (provider, created_at DESC) WHERE flow = 'register'::text;

create table git_app_keys (
  id uuid not null,
  provider text not null,
  kind text not null,
  place smallint not null,
  sealed bytea not null,
  key_version integer not null,
  fingerprint text not null,
  created_at timestamp with time zone not null,
  constraint git_app_keys_pkey PRIMARY KEY (id),
  constraint git_app_keys_fingerprint_check CHECK (fingerprint ~ '^[0-9a-f]{12,64}$'::text),
  constraint git_app_keys_kind_check CHECK (kind = ANY (ARRAY['private_key'::text, 'webhook_secret'::text])),
  constraint git_app_keys_known UNIQUE (provider, kind, fingerprint),
  constraint git_app_keys_place_check CHECK (place = ANY (ARRAY[1, 2])),
  constraint git_app_keys_places UNIQUE (provider, kind, place),
  constraint git_app_keys_provider_check CHECK (provider = ANY (ARRAY['github'::text, 'gitea'::text, 'forgejo'::text, 'gitlab'::text])),
  constraint git_app_keys_provider_fkey FOREIGN KEY (provider) REFERENCES git_apps(provider) ON DELETE CASCADE
);
CREATE INDEX git_app_keys_by_key_version ON git_app_keys USING btree (key_version);
CREATE TRIGGER git_app_keys_notify AFTER INSERT OR DELETE OR UPDATE ON git_app_keys FOR EACH STATEMENT EXECUTE FUNCTION notify_sources_changed();
CREATE TRIGGER git_app_keys_tell_changes AFTER INSERT OR DELETE OR UPDATE ON git_app_keys FOR EACH ROW EXECUTE FUNCTION notify_git_apps_changed();

create table git_apps (
  provider text not null,
  base_url text not null,
  app_id text not null,
  slug text,
  name text,
  html_url text,
  account text,
  permissions jsonb not null,
  events text[] not null,
  credential_ref text,
  team_path text collate "C",
  source_id uuid,
  public_url text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint git_apps_pkey PRIMARY KEY (provider),
  constraint git_apps_app_id_check CHECK (length(app_id) >= 1 AND length(app_id) <= 100),
  constraint git_apps_base_url_check CHECK (base_url ~ '^https?://'::text AND base_url !~ '/$'::text),
  constraint git_apps_permissions_check CHECK (jsonb_typeof(permissions) = 'object'::text),
  constraint git_apps_provider_check CHECK (provider = ANY (ARRAY['github'::text, 'gitea'::text, 'forgejo'::text, 'gitlab'::text])),
  constraint git_apps_source_has_team CHECK (source_id IS NULL OR team_path IS NOT NULL),
  constraint git_apps_source_id_fkey FOREIGN KEY (source_id) REFERENCES webhook_sources(id) ON DELETE SET NULL,
  constraint git_apps_team_path_fkey FOREIGN KEY (team_path) REFERENCES teams(path) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX git_apps_by_source ON git_apps USING btree (source_id);
CREATE INDEX git_apps_by_team ON git_apps USING btree (team_path);
CREATE TRIGGER git_apps_tell_changes AFTER INSERT OR DELETE ON git_apps FOR EACH ROW EXECUTE FUNCTION notify_git_apps_changed();
CREATE TRIGGER git_apps_tell_updates AFTER UPDATE ON git_apps FOR EACH ROW WHEN (old.base_url IS DISTINCT FROM new.base_url OR old.app_id IS DISTINCT FROM new.app_id OR old.credential_ref IS DISTINCT FROM new.credential_ref OR old.slug IS DISTINCT FROM new.slug OR old.source_id IS DISTINCT FROM new.source_id) EXECUTE FUNCTION notify_git_apps_changed();

create table git_installation_repositories (
  installation uuid not null,
  repository_id text collate "C" not null,
  full_name text not null,
  name_key text collate "C" not null,
  private boolean not null,
  default_branch text,
  constraint git_installation_repositories_pkey PRIMARY KEY (installation, repository_id),
  constraint git_installation_repositories_check CHECK (name_key = lower(full_name)),
  constraint git_installation_repositories_installation_fkey FOREIGN KEY (installation) REFERENCES git_installations(id) ON DELETE CASCADE
);
CREATE INDEX git_installation_repositories_by_name ON git_installation_repositories USING btree (name_key, installation);
CREATE TRIGGER git_installation_repositories_tell_losses AFTER DELETE ON git_installation_repositories REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION notify_git_repositories_gone();

create table git_installation_teams (
  installation uuid not null,
  team_path text collate "C" not null,
  repositories text[] not null,
  constraint git_installation_teams_pkey PRIMARY KEY (installation, team_path),
  constraint git_installation_teams_installation_fkey FOREIGN KEY (installation) REFERENCES git_installations(id) ON DELETE CASCADE,
  constraint git_installation_teams_repositories_check CHECK (cardinality(repositories) > 0),
  constraint git_installation_teams_team_path_fkey FOREIGN KEY (team_path) REFERENCES teams(path) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX git_installation_teams_by_team ON git_installation_teams USING btree (team_path);

create table git_installations (
  id uuid not null,
  provider text not null,
  installation_id text collate "C" not null,
  account text,
  status text not null,
  reason text,
  repository_selection text,
  permissions jsonb not null,
  html_url text,
  suspended_at timestamp with time zone,
  deleted_at timestamp with time zone,
  last_verified_at timestamp with time zone,
  refreshed_at timestamp with time zone,
  repository_count integer not null,
  version integer not null,
  pages jsonb not null,
  created_at timestamp with time zone not null,
  constraint git_installations_pkey PRIMARY KEY (id),
  constraint git_installations_deleted CHECK (deleted_at IS NULL OR status = 'removed'::text),
  constraint git_installations_installation_id_check CHECK (length(installation_id) >= 1 AND length(installation_id) <= 200),
  constraint git_installations_known UNIQUE (provider, installation_id),
  constraint git_installations_permissions_check CHECK (jsonb_typeof(permissions) = 'object'::text),
  constraint git_installations_provider_check CHECK (provider = ANY (ARRAY['github'::text, 'gitea'::text, 'forgejo'::text, 'gitlab'::text])),
  constraint git_installations_provider_fkey FOREIGN KEY (provider) REFERENCES git_apps(provider) ON DELETE CASCADE,
  constraint git_installations_repository_count_check CHECK (repository_count >= 0),
  constraint git_installations_repository_selection_check CHECK (repository_selection = ANY (ARRAY['all'::text, 'selected'::text])),
  constraint git_installations_status_check CHECK (status = ANY (ARRAY['unverified'::text, 'active'::text, 'suspended'::text, 'removed'::text, 'permissions_outdated'::text])),
  constraint git_installations_suspended CHECK ((status = 'suspended'::text) = (suspended_at IS NOT NULL))
);
CREATE INDEX git_installations_by_provider ON git_installations USING btree (provider, id DESC);
CREATE TRIGGER git_installations_tell_changes AFTER UPDATE OF status ON git_installations FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status) EXECUTE FUNCTION notify_git_installation_changed();
CREATE TRIGGER git_installations_tell_deletions AFTER DELETE ON git_installations FOR EACH ROW EXECUTE FUNCTION notify_git_installation_changed();

create table grants (
  id uuid not null,
  subject_kind text not null,
  user_id uuid,
  group_id uuid,
  service_account_id uuid,
  role text not null,
  team_path text collate "C" not null,
  team_ref text collate "C" generated always as (NULLIF(team_path, '/'::text)) stored,
  created_at timestamp with time zone not null,
  constraint grants_pkey PRIMARY KEY (id),
  constraint grants_administrators_are_platform_wide CHECK (role <> 'administrator'::text OR team_path = '/'::text),
  constraint grants_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE,
  constraint grants_have_one_subject CHECK (num_nonnulls(user_id, group_id, service_account_id) = 1),
  constraint grants_role_check CHECK (role = ANY (ARRAY['viewer'::text, 'operator'::text, 'editor'::text, 'owner'::text, 'administrator'::text])),
  constraint grants_service_account_id_fkey FOREIGN KEY (service_account_id) REFERENCES service_accounts(id) ON DELETE CASCADE,
  constraint grants_subject_kind_check CHECK (subject_kind = ANY (ARRAY['user'::text, 'group'::text, 'service_account'::text])),
  constraint grants_subject_matches_kind CHECK ((subject_kind = 'user'::text) = (user_id IS NOT NULL) AND (subject_kind = 'group'::text) = (group_id IS NOT NULL) AND (subject_kind = 'service_account'::text) = (service_account_id IS NOT NULL)),
  constraint grants_taken UNIQUE NULLS NOT DISTINCT (user_id, group_id, service_account_id, role, team_path),
  constraint grants_team_ref_fkey FOREIGN KEY (team_ref) REFERENCES teams(path) ON DELETE CASCADE,
  constraint grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX grants_by_team ON grants USING btree (team_path);
CREATE INDEX grants_by_team_ref ON grants USING btree (team_ref);
CREATE TRIGGER grants_raise_access_revision AFTER INSERT OR DELETE OR UPDATE ON grants FOR EACH STATEMENT EXECUTE FUNCTION raise_access_revision();

create table group_members (
  group_id uuid not null,
  user_id uuid not null,
  constraint group_members_pkey PRIMARY KEY (group_id, user_id),
  constraint group_members_group_id_fkey FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE,
  constraint group_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX group_members_by_user ON group_members USING btree (user_id);
CREATE TRIGGER group_members_raise_access_revision AFTER INSERT OR DELETE OR UPDATE ON group_members FOR EACH STATEMENT EXECUTE FUNCTION raise_access_revision();

create table groups (
  id uuid not null,
  name text collate "C" not null,
  created_at timestamp with time zone not null,
  constraint groups_pkey PRIMARY KEY (id),
  constraint groups_name_check CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'::text),
  constraint groups_name_taken UNIQUE (name)
);

create table idempotency_keys (
  caller_id text not null,
  route text not null,
  key text not null,
  request_sha256 bytea not null,
  status integer,
  headers jsonb,
  body jsonb,
  sealed_body bytea,
  held jsonb,
  created_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (caller_id, route, key),
  constraint idempotency_keys_answered_with_held CHECK ((status IS NULL) = (held IS NULL)),
  constraint idempotency_keys_key_check CHECK (length(key) >= 1 AND length(key) <= 255),
  constraint idempotency_keys_sealed_or_clear CHECK (body IS NULL OR sealed_body IS NULL)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_sealed ON idempotency_keys USING btree (created_at) WHERE sealed_body IS NOT NULL;

create table identities (
  id uuid not null,
  user_id uuid not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  created_at timestamp with time zone not null,
  last_sign_in_at timestamp with time zone,
  constraint identities_pkey PRIMARY KEY (id),
  constraint identities_account_taken UNIQUE (issuer, subject),
  constraint identities_issuer_check CHECK (char_length(issuer) >= 1 AND char_length(issuer) <= 500),
  constraint identities_subject_check CHECK (subject ~ '^[\x20-\x7e]{1,255}$'::text),
  constraint identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX identities_of_user ON identities USING btree (user_id, id);

create table key_checks (
  key_version bigint not null,
  fingerprint bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint key_checks_pkey PRIMARY KEY (key_version),
  constraint key_checks_fingerprint_check CHECK (octet_length(fingerprint) = 32),
  constraint key_checks_key_version_check CHECK (key_version >= 1 AND key_version <= '4294967295'::bigint)
);

create table knowledge_items (
  id uuid not null,
  team_path text collate "C" not null,
  team_ref text collate "C" generated always as (NULLIF(team_path, '/'::text)) stored,
  name text collate "C" not null,
  kind text not null,
  revision integer not null,
  revision_id uuid not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint knowledge_items_pkey PRIMARY KEY (id),
  constraint knowledge_items_kind_check CHECK (kind = ANY (ARRAY['policy'::text, 'guardrail'::text, 'reference'::text])),
  constraint knowledge_items_name_check CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'::text),
  constraint knowledge_items_name_taken UNIQUE (team_path, name),
  constraint knowledge_items_revision_check CHECK (revision > 0),
  constraint knowledge_items_team_ref_fkey FOREIGN KEY (team_ref) REFERENCES teams(path) ON DELETE RESTRICT
);
CREATE INDEX knowledge_items_by_team ON knowledge_items USING btree (team_path, id);
CREATE INDEX knowledge_items_by_team_ref ON knowledge_items USING btree (team_ref) WHERE team_ref IS NOT NULL;
CREATE TRIGGER knowledge_items_notify AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON knowledge_items FOR EACH STATEMENT EXECUTE FUNCTION notify_knowledge_changed();

create table knowledge_revision (
  one boolean default true not null,
  revision bigint not null,
  constraint knowledge_revision_pkey PRIMARY KEY (one),
  constraint knowledge_revision_one_check CHECK (one)
);

create table knowledge_revisions (
  id uuid not null,
  item_id uuid not null,
  revision integer not null,
  team_path text collate "C" not null,
  name text collate "C" not null,
  kind text not null,
  scope text collate "C" not null,
  rule text,
  judged_at text,
  time_zone text not null,
  message text,
  text text not null,
  saved_by text not null,
  saved_at timestamp with time zone not null,
  constraint knowledge_revisions_pkey PRIMARY KEY (id),
  constraint knowledge_revisions_judged_at_check CHECK (judged_at = ANY (ARRAY['run'::text, 'step'::text, 'task'::text])),
  constraint knowledge_revisions_kind_check CHECK (kind = ANY (ARRAY['policy'::text, 'guardrail'::text, 'reference'::text])),
  constraint knowledge_revisions_revision_check CHECK (revision > 0),
  constraint knowledge_revisions_rule_of_what_blocks CHECK ((kind = 'reference'::text) = (rule IS NULL) AND (kind = 'reference'::text) = (message IS NULL)),
  constraint knowledge_revisions_taken UNIQUE (item_id, revision)
);
CREATE INDEX knowledge_revisions_by_item ON knowledge_revisions USING btree (item_id, id);
CREATE TRIGGER knowledge_revisions_fixed BEFORE DELETE OR UPDATE ON knowledge_revisions FOR EACH ROW EXECUTE FUNCTION refuse_change_of_knowledge_revision();

create table log_chunks (
  attempt_id uuid not null,
  first_line bigint not null,
  line_count integer not null,
  lines_zstd bytea,
  missing text,
  raw_bytes integer,
  first_at timestamp with time zone,
  last_at timestamp with time zone,
  trigrams bytea,
  stored_at timestamp with time zone default now() not null,
  constraint log_chunks_pkey PRIMARY KEY (attempt_id, first_line),
  constraint log_chunks_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempts(id) ON DELETE CASCADE,
  constraint log_chunks_first_line_check CHECK (first_line >= 0),
  constraint log_chunks_line_count_check CHECK (line_count > 0),
  constraint log_chunks_lines_or_missing CHECK ((lines_zstd IS NULL) = (missing IS NOT NULL)),
  constraint log_chunks_missing_check CHECK (missing = ANY (ARRAY['lost'::text, 'limit'::text, 'dropped'::text, 'scrubbed'::text])),
  constraint log_chunks_raw_bytes_check CHECK (raw_bytes >= 0)
) with (autovacuum_vacuum_scale_factor=0.02);

create table log_heads (
  attempt_id uuid not null,
  next_line bigint default 0 not null,
  stored_bytes bigint default 0 not null,
  packed_line bigint default 0 not null,
  loose_bytes bigint default 0 not null,
  is_packed boolean default true not null,
  appended_at timestamp with time zone default now() not null,
  dropped_at timestamp with time zone,
  closed_at timestamp with time zone,
  constraint log_heads_pkey PRIMARY KEY (attempt_id),
  constraint log_heads_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempts(id) ON DELETE CASCADE,
  constraint log_heads_check CHECK (packed_line <= next_line),
  constraint log_heads_next_line_check CHECK (next_line >= 0)
) with (fillfactor=70);
CREATE INDEX log_heads_kept ON log_heads USING btree (appended_at) WHERE dropped_at IS NULL;
CREATE INDEX log_heads_loose ON log_heads USING btree (appended_at) WHERE NOT is_packed;

create table log_scrubs (
  id uuid not null,
  run_id uuid not null,
  sealed_values bytea,
  changed_lines bigint default 0 not null,
  requested_at timestamp with time zone not null,
  rewritten_at timestamp with time zone,
  constraint log_scrubs_pkey PRIMARY KEY (id),
  constraint log_scrubs_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE,
  constraint log_scrubs_sealed_until_done CHECK (sealed_values IS NOT NULL OR rewritten_at IS NOT NULL)
);
CREATE INDEX log_scrubs_open ON log_scrubs USING btree (run_id) WHERE rewritten_at IS NULL;
CREATE INDEX log_scrubs_run ON log_scrubs USING btree (run_id, id);

create table loose_objects (
  object text collate "C" not null,
  due_at timestamp with time zone not null,
  taken_at timestamp with time zone,
  constraint loose_objects_pkey PRIMARY KEY (object)
);
CREATE INDEX loose_objects_by_due ON loose_objects USING btree (due_at);

create table object_places (
  one boolean default true not null,
  id uuid not null,
  made_at timestamp with time zone default now() not null,
  constraint object_places_pkey PRIMARY KEY (one),
  constraint object_places_one_check CHECK (one)
);

create table overrides (
  id uuid not null,
  repo_owner text collate "C" not null,
  repo_name text collate "C" not null,
  team_path text collate "C" not null,
  pipeline text collate "C" not null,
  scope text collate "C" not null,
  expires_at timestamp with time zone,
  reason text,
  owner_kind text not null,
  owner_id text not null,
  owner_name text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint overrides_pkey PRIMARY KEY (id),
  constraint overrides_owner_kind_check CHECK (owner_kind = ANY (ARRAY['user'::text, 'service_account'::text, 'bootstrap'::text])),
  constraint overrides_repo_name_check CHECK (repo_name <> ''::text AND strpos(repo_name, '/'::text) = 0),
  constraint overrides_repo_owner_check CHECK (repo_owner <> ''::text),
  constraint overrides_team_path_fkey FOREIGN KEY (team_path) REFERENCES teams(path) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX overrides_by_pipeline ON overrides USING btree (pipeline);
CREATE INDEX overrides_by_team ON overrides USING btree (team_path, id);
CREATE UNIQUE INDEX overrides_of_team_taken ON overrides USING btree (lower(repo_owner), lower(repo_name), team_path);
CREATE TRIGGER overrides_notify AFTER INSERT OR DELETE OR UPDATE ON overrides FOR EACH STATEMENT EXECUTE FUNCTION notify_overrides_changed();

create table overrides_revision (
  one boolean default true not null,
  revision bigint not null,
  constraint overrides_revision_pkey PRIMARY KEY (one),
  constraint overrides_revision_one_check CHECK (one)
);

create table pipeline_children (
  child text collate "C" not null,
  pipeline_id uuid not null,
  scope text collate "C",
  constraint pipeline_children_child_pipeline_id_scope_key UNIQUE NULLS NOT DISTINCT (child, pipeline_id, scope),
  constraint pipeline_children_pipeline_id_fkey FOREIGN KEY (pipeline_id) REFERENCES pipelines(id) ON DELETE CASCADE
);
CREATE INDEX pipeline_children_by_pipeline ON pipeline_children USING btree (pipeline_id);

create table pipeline_profiles (
  pipeline_id uuid not null,
  name text collate "C" not null,
  profile_id uuid not null,
  constraint pipeline_profiles_pkey PRIMARY KEY (pipeline_id, name),
  constraint pipeline_profiles_in_use FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE RESTRICT,
  constraint pipeline_profiles_pipeline_id_fkey FOREIGN KEY (pipeline_id) REFERENCES pipelines(id) ON DELETE CASCADE
);
CREATE INDEX pipeline_profiles_by_profile ON pipeline_profiles USING btree (profile_id);

create table pipeline_secrets (
  secret text collate "C" not null,
  pipeline_id uuid not null,
  directive text collate "C" not null,
  constraint pipeline_secrets_pkey PRIMARY KEY (secret, pipeline_id, directive),
  constraint pipeline_secrets_pipeline_id_fkey FOREIGN KEY (pipeline_id) REFERENCES pipelines(id) ON DELETE CASCADE
);
CREATE INDEX pipeline_secrets_by_pipeline ON pipeline_secrets USING btree (pipeline_id);

create table pipeline_versions (
  id uuid not null,
  pipeline_id uuid not null,
  version integer not null,
  document text not null,
  graph jsonb not null,
  saved_by text not null,
  saved_at timestamp with time zone not null,
  constraint pipeline_versions_pkey PRIMARY KEY (id),
  constraint pipeline_versions_pipeline_id_fkey FOREIGN KEY (pipeline_id) REFERENCES pipelines(id) ON DELETE CASCADE,
  constraint pipeline_versions_taken UNIQUE (pipeline_id, version),
  constraint pipeline_versions_version_check CHECK (version > 0)
);

create table pipelines (
  id uuid not null,
  team_path text collate "C" not null,
  name text collate "C" not null,
  identifier text collate "C" generated always as (((team_path || '/'::text) || name)) stored not null,
  version integer not null,
  profile_id uuid,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  children_version integer,
  constraint pipelines_pkey PRIMARY KEY (id),
  constraint pipelines_name_check CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'::text),
  constraint pipelines_profile_in_use FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE RESTRICT,
  constraint pipelines_team_path_fkey FOREIGN KEY (team_path) REFERENCES teams(path) ON UPDATE CASCADE ON DELETE RESTRICT,
  constraint pipelines_version_check CHECK (version > 0)
);
CREATE INDEX pipelines_by_profile ON pipelines USING btree (profile_id) WHERE profile_id IS NOT NULL;
CREATE INDEX pipelines_by_team ON pipelines USING btree (team_path, id) WHERE deleted_at IS NULL;
CREATE INDEX pipelines_children_stale ON pipelines USING btree (id) WHERE deleted_at IS NULL AND children_version IS DISTINCT FROM version;
CREATE UNIQUE INDEX pipelines_identifier_taken ON pipelines USING btree (identifier) WHERE deleted_at IS NULL;
CREATE TRIGGER pipelines_notify AFTER INSERT OR DELETE OR UPDATE ON pipelines FOR EACH STATEMENT EXECUTE FUNCTION notify_pipelines_changed();

create table plans (
  id uuid not null,
  action text collate "C" not null,
  target text not null,
  arguments bytea not null,
  effects jsonb not null,
  preconditions jsonb not null,
  reached_scopes text[] not null,
  reached_teams text[] not null,
  permission text collate "C" not null,
  team_path text collate "C" not null,
  held jsonb not null,
  confirmation text not null,
  confirmation_reason text,
  status text not null,
  planner_kind text not null,
  planner_id text not null,
  planner_name text not null,
  token_id uuid,
  session_id uuid,
  decider_kind text,
  decider_id text,
  decider_name text,
  refusal text,
  replaced_by uuid,
  resources jsonb,
  outcome bytea,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  confirmation_place text collate "C",
  constraint plans_pkey PRIMARY KEY (id),
  constraint plans_action_check CHECK (action ~ '^[a-zA-Z]{1,60}$'::text),
  constraint plans_confirmation_check CHECK (confirmation = ANY (ARRAY['agent'::text, 'person'::text])),
  constraint plans_decider_kind_check CHECK (decider_kind = ANY (ARRAY['user'::text, 'service_account'::text, 'bootstrap'::text])),
  constraint plans_decider_whole CHECK ((decider_kind IS NULL) = (decider_id IS NULL) AND (decider_id IS NULL) = (decider_name IS NULL)),
  constraint plans_effects_check CHECK (jsonb_typeof(effects) = 'array'::text),
  constraint plans_end_once CHECK ((ended_at IS NULL) = (status = ANY (ARRAY['waiting'::text, 'waiting_for_person'::text]))),
  constraint plans_expire_later CHECK (expires_at > created_at),
  constraint plans_held_check CHECK (jsonb_typeof(held) = 'array'::text),
  constraint plans_one_credential CHECK (token_id IS NULL OR session_id IS NULL),
  constraint plans_outcome_of_confirmed CHECK (status = 'confirmed'::text OR outcome IS NULL AND resources IS NULL),
  constraint plans_planner_kind_check CHECK (planner_kind = ANY (ARRAY['user'::text, 'service_account'::text, 'bootstrap'::text])),
  constraint plans_preconditions_check CHECK (jsonb_typeof(preconditions) = 'array'::text),
  constraint plans_refusal_check CHECK (char_length(refusal) <= 500),
  constraint plans_resources_check CHECK (jsonb_typeof(resources) = 'array'::text),
  constraint plans_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'waiting_for_person'::text, 'confirmed'::text, 'refused'::text, 'stale'::text])),
  constraint plans_target_check CHECK (char_length(target) >= 1 AND char_length(target) <= 1200)
);
CREATE INDEX plans_by_age ON plans USING btree (created_at);
CREATE INDEX plans_for_persons ON plans USING btree (permission, team_path, id DESC) WHERE status = 'waiting_for_person'::text;
CREATE INDEX plans_of_planner ON plans USING btree (planner_kind, planner_id, id DESC);
CREATE INDEX plans_open ON plans USING btree (planner_kind, planner_id, expires_at) WHERE status = ANY (ARRAY['waiting'::text, 'waiting_for_person'::text]);
CREATE TRIGGER plans_tell AFTER INSERT OR UPDATE OF status, outcome ON plans FOR EACH ROW EXECUTE FUNCTION tell_plan();

create table posted_events (
  caller_kind text not null,
  caller_id text not null,
  delivery_id text not null,
  event_id uuid not null,
  answer json not null,
  posted_at timestamp with time zone not null,
  body_sha256 bytea,
  constraint posted_events_pkey PRIMARY KEY (caller_kind, caller_id, delivery_id),
  constraint posted_events_body_sha256_check CHECK (length(body_sha256) = 32)
);
CREATE INDEX posted_events_by_age ON posted_events USING btree (posted_at);

create table preferences (
  user_id uuid not null,
  document jsonb not null,
  updated_at timestamp with time zone not null,
  constraint preferences_pkey PRIMARY KEY (user_id),
  constraint preferences_document_check CHECK (jsonb_typeof(document) = 'object'::text AND octet_length(document::text) <= 20000),
  constraint preferences_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table profiles (
  id uuid not null,
  team_path text collate "C" not null,
  name text collate "C" not null,
  executor text not null,
  image text,
  labels text[] not null,
  environment jsonb not null,
  resources jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint profiles_pkey PRIMARY KEY (id),
  constraint profiles_executor_check CHECK (executor = ANY (ARRAY['host'::text, 'container'::text])),
  constraint profiles_image_where_container CHECK ((executor = 'container'::text) = (image IS NOT NULL)),
  constraint profiles_name_check CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'::text),
  constraint profiles_name_taken UNIQUE (team_path, name),
  constraint profiles_team_path_fkey FOREIGN KEY (team_path) REFERENCES teams(path) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX profiles_by_team ON profiles USING btree (team_path, id);
CREATE TRIGGER profiles_notify AFTER INSERT OR DELETE OR UPDATE ON profiles FOR EACH STATEMENT EXECUTE FUNCTION notify_profiles_changed();

create table pull_request_heads (
  source_id uuid not null,
  repository text collate "C" not null,
  number bigint not null,
  head_sha text,
  ref text,
  pull_request json not null,
  occurred_at timestamp with time zone,
  received_at timestamp with time zone not null,
  constraint pull_request_heads_pkey PRIMARY KEY (source_id, repository, number),
  constraint pull_request_heads_number_check CHECK (number > 0)
);
CREATE INDEX pull_request_heads_by_age ON pull_request_heads USING btree (received_at);

create table recoveries (
  id uuid not null,
  source_id uuid not null,
  repository text collate "C" not null,
  provider_delivery_id text collate "C" not null,
  attempt_id text not null,
  event_type text not null,
  missed_at timestamp with time zone not null,
  requested_at timestamp with time zone,
  recovered_at timestamp with time zone,
  delivery_record_id uuid,
  tries integer default 0 not null,
  next_try_at timestamp with time zone not null,
  given_up_reason text,
  kind text default 'resend'::text not null,
  ref text,
  before_sha text,
  head_sha text,
  event_id uuid,
  constraint recoveries_pkey PRIMARY KEY (id),
  constraint recoveries_ended CHECK (recovered_at IS NULL OR given_up_reason IS NULL),
  constraint recoveries_kind_check CHECK (kind = ANY (ARRAY['resend'::text, 'made'::text])),
  constraint recoveries_made CHECK (kind = 'resend'::text OR num_nulls(head_sha, event_id, delivery_record_id) = 0)
);
CREATE INDEX recoveries_by_age ON recoveries USING btree (missed_at);
CREATE INDEX recoveries_made ON recoveries USING btree (source_id, repository, ref, head_sha, recovered_at) WHERE kind = 'made'::text;
CREATE INDEX recoveries_of_source ON recoveries USING btree (source_id, id DESC);
CREATE UNIQUE INDEX recoveries_once ON recoveries USING btree (source_id, provider_delivery_id);
CREATE INDEX recoveries_open ON recoveries USING btree (source_id, repository, next_try_at) WHERE recovered_at IS NULL AND given_up_reason IS NULL;

create table recovery_heads (
  source_id uuid not null,
  repository text collate "C" not null,
  repository_key text collate "C" not null,
  heads jsonb,
  pulls jsonb,
  version integer default 0 not null,
  heard_at timestamp with time zone not null,
  turn_at timestamp with time zone not null,
  looked_at timestamp with time zone,
  failed_at timestamp with time zone,
  reason text,
  not_before timestamp with time zone,
  pushed_at timestamp with time zone,
  pulled_at timestamp with time zone,
  next_at timestamp with time zone,
  constraint recovery_heads_pkey PRIMARY KEY (source_id, repository_key),
  constraint recovery_heads_noted CHECK (num_nulls(heads, pulls) = ANY (ARRAY[0, 2]))
);
CREATE INDEX recovery_heads_by_heard ON recovery_heads USING btree (heard_at);

create table recovery_heard (
  one boolean default true not null,
  event_id uuid not null,
  constraint recovery_heard_pkey PRIMARY KEY (one),
  constraint recovery_heard_one_check CHECK (one)
);

create table recovery_logs (
  source_id uuid not null,
  repository text collate "C" not null,
  seen_until timestamp with time zone,
  walk_cursor text,
  walk_top timestamp with time zone,
  walked_pages integer default 0 not null,
  looked_at timestamp with time zone,
  failed_at timestamp with time zone,
  reason text,
  not_before timestamp with time zone,
  constraint recovery_logs_pkey PRIMARY KEY (source_id, repository)
);

create table repository_manifests (
  repository text collate "C" not null,
  blob_id text not null,
  text text not null,
  used_at timestamp with time zone not null,
  constraint repository_manifests_pkey PRIMARY KEY (repository, blob_id)
);
CREATE INDEX repository_manifests_by_use ON repository_manifests USING btree (used_at);

create table repository_names (
  revision bigint not null,
  source_id uuid not null,
  name text collate "C" not null,
  repository_id text not null,
  contested boolean default false not null,
  since timestamp with time zone not null,
  constraint repository_names_pkey PRIMARY KEY (revision),
  constraint repository_names_name_check CHECK (name <> ''::text),
  constraint repository_names_repository_id_check CHECK (repository_id <> ''::text)
);
CREATE UNIQUE INDEX repository_names_taken ON repository_names USING btree (source_id, lower(name));
CREATE TRIGGER repository_names_deleted AFTER DELETE ON repository_names FOR EACH STATEMENT EXECUTE FUNCTION record_repository_names_deleted();
CREATE TRIGGER repository_names_emptied AFTER TRUNCATE ON repository_names FOR EACH STATEMENT EXECUTE FUNCTION record_repository_names_deleted();
CREATE TRIGGER repository_names_numbered BEFORE INSERT OR UPDATE ON repository_names FOR EACH ROW EXECUTE FUNCTION number_repository_name();

create table repository_names_revision (
  singleton boolean default true not null,
  revision bigint not null,
  complete_since bigint not null,
  constraint repository_names_revision_pkey PRIMARY KEY (singleton),
  constraint repository_names_revision_singleton_check CHECK (singleton)
);

create table run_approvals (
  run_id uuid not null,
  name text not null,
  decision text not null,
  subject_kind text not null,
  subject_id text not null,
  subject_name text not null,
  comment text,
  commit_sha text,
  decided_at timestamp with time zone not null,
  team_path text collate "C",
  constraint run_approvals_pkey PRIMARY KEY (run_id, name),
  constraint run_approvals_decision_check CHECK (decision = ANY (ARRAY['approve'::text, 'reject'::text])),
  constraint run_approvals_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE,
  constraint run_approvals_subject_kind_check CHECK (subject_kind = ANY (ARRAY['user'::text, 'service_account'::text, 'bootstrap'::text, 'system'::text]))
);
CREATE INDEX run_approvals_decided ON run_approvals USING btree (team_path, decided_at, run_id);
CREATE TRIGGER run_approvals_have_team BEFORE INSERT ON run_approvals FOR EACH ROW WHEN (new.team_path IS NULL) EXECUTE FUNCTION copy_team_of_run();

create table run_askers (
  run_id uuid not null,
  provider text not null,
  base_url text not null,
  account_id text collate "C" not null,
  user_id uuid,
  constraint run_askers_pkey PRIMARY KEY (run_id),
  constraint run_askers_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE
);

create table run_event_blocks (
  id uuid not null,
  events_zstd bytea not null,
  constraint run_event_blocks_pkey PRIMARY KEY (id)
);

create table run_final_outputs (
  run_id uuid not null,
  name text not null,
  format text not null,
  content text not null,
  "position" integer not null,
  generated_at timestamp with time zone not null,
  constraint run_final_outputs_pkey PRIMARY KEY (run_id, name),
  constraint run_final_outputs_format_check CHECK (format = ANY (ARRAY['markdown'::text, 'json'::text, 'text'::text])),
  constraint run_final_outputs_in_order UNIQUE (run_id, "position"),
  constraint run_final_outputs_position_check CHECK ("position" >= 0),
  constraint run_final_outputs_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE
);

create table run_pins (
  run_id uuid not null,
  step text,
  task text,
  revision_id uuid not null,
  pinned_at timestamp with time zone not null,
  constraint run_pins_once UNIQUE NULLS NOT DISTINCT (run_id, step, task, revision_id),
  constraint run_pins_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE,
  constraint run_pins_task_in_step CHECK (task IS NULL OR step IS NOT NULL)
);

create table run_reports (
  run_id uuid not null,
  kind text not null,
  source_id uuid not null,
  repository text collate "C" not null,
  commit_sha text collate "C" not null,
  context text collate "C" not null,
  check_id text,
  creating boolean default false not null,
  state text,
  told text,
  told_at timestamp with time zone,
  given_up_reason text,
  given_up_at timestamp with time zone,
  annotated integer default 0 not null,
  annotating boolean default false not null,
  constraint run_reports_pkey PRIMARY KEY (run_id, kind),
  constraint run_reports_kind_check CHECK (kind = ANY (ARRAY['status'::text, 'check'::text]))
);
CREATE INDEX run_reports_of_commit ON run_reports USING btree (source_id, repository, commit_sha, context, run_id);

create table run_steps (
  run_id uuid not null,
  step text not null,
  "position" integer not null,
  status text not null,
  reason text,
  blocks boolean not null,
  timed_out text,
  started_at timestamp with time zone,
  deadline_at timestamp with time zone,
  finished_at timestamp with time zone,
  constraint run_steps_pkey PRIMARY KEY (run_id, step),
  constraint run_steps_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE,
  constraint run_steps_status_check CHECK (status = ANY (ARRAY['pending'::text, 'ready'::text, 'running'::text, 'paused'::text, 'success'::text, 'failure'::text, 'failure (ignored)'::text, 'warning'::text, 'skipped'::text, 'canceled'::text, 'timed_out'::text]))
);
CREATE INDEX run_steps_by_deadline ON run_steps USING btree (deadline_at) WHERE status = 'running'::text AND deadline_at IS NOT NULL;

create table run_tasks (
  run_id uuid not null,
  step text not null,
  task text not null,
  "position" integer not null,
  status text not null,
  reason text,
  blocks boolean not null,
  attempt integer not null,
  losses_before integer default 0 not null,
  handed_back integer default 0 not null,
  exit_code integer,
  outputs jsonb not null,
  retry_at timestamp with time zone,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  constraint run_tasks_pkey PRIMARY KEY (run_id, step, task),
  constraint run_tasks_attempt_check CHECK (attempt >= 0),
  constraint run_tasks_handed_back_check CHECK (handed_back >= 0),
  constraint run_tasks_losses_before_check CHECK (losses_before >= 0),
  constraint run_tasks_run_id_step_fkey FOREIGN KEY (run_id, step) REFERENCES run_steps(run_id, step) ON DELETE CASCADE,
  constraint run_tasks_status_check CHECK (status = ANY (ARRAY['pending'::text, 'ready'::text, 'running'::text, 'paused'::text, 'success'::text, 'failure'::text, 'failure (ignored)'::text, 'skipped'::text, 'canceled'::text, 'timed_out'::text]))
);
CREATE INDEX run_tasks_by_retry ON run_tasks USING btree (retry_at) WHERE retry_at IS NOT NULL;

create table runner_enrollments (
  id uuid not null,
  token_sha256 bytea not null,
  team_path text collate "C" not null,
  scopes text[] not null,
  labels text[] not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  created_by text not null,
  created_at timestamp with time zone not null,
  team_ref text collate "C" generated always as (
CASE
    WHEN (used_at IS NULL) THEN NULLIF(team_path, '/'::text)
    ELSE NULL::text
END) stored,
  constraint runner_enrollments_pkey PRIMARY KEY (id),
  constraint runner_enrollments_scopes_check CHECK (cardinality(scopes) > 0),
  constraint runner_enrollments_sha256_taken UNIQUE (token_sha256),
  constraint runner_enrollments_team_ref_fkey FOREIGN KEY (team_ref) REFERENCES teams(path) ON DELETE CASCADE
);
CREATE INDEX runner_enrollments_by_team ON runner_enrollments USING btree (team_path, id);
CREATE INDEX runner_enrollments_by_team_ref ON runner_enrollments USING btree (team_ref);

create table runners (
  id uuid not null,
  enrollment_id uuid not null,
  name text not null,
  team_path text collate "C" not null,
  scopes text[] not null,
  labels text[] not null,
  offered_labels text[] not null,
  executors text[] not null,
  capacity integer not null,
  version text not null,
  credential_sha256 bytea not null,
  enabled boolean not null,
  draining boolean not null,
  leaving boolean not null,
  connected_to uuid,
  connected_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  removed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  team_ref text collate "C" generated always as (
CASE
    WHEN (removed_at IS NULL) THEN NULLIF(team_path, '/'::text)
    ELSE NULL::text
END) stored,
  constraint runners_pkey PRIMARY KEY (id),
  constraint runners_capacity_check CHECK (capacity >= 1 AND capacity <= 10000),
  constraint runners_credential_taken UNIQUE (credential_sha256),
  constraint runners_enrollment_id_fkey FOREIGN KEY (enrollment_id) REFERENCES runner_enrollments(id),
  constraint runners_scopes_check CHECK (cardinality(scopes) > 0),
  constraint runners_team_ref_fkey FOREIGN KEY (team_ref) REFERENCES teams(path) ON DELETE RESTRICT
);
CREATE INDEX runners_by_team ON runners USING btree (team_path, id) WHERE removed_at IS NULL;
CREATE INDEX runners_by_team_ref ON runners USING btree (team_ref);
CREATE TRIGGER runners_notify AFTER INSERT OR DELETE OR UPDATE OF name, scopes, labels, enabled, draining, removed_at ON runners FOR EACH STATEMENT EXECUTE FUNCTION notify_runners_changed();
CREATE TRIGGER runners_tell_changes AFTER INSERT OR UPDATE OF name, scopes, labels, offered_labels, executors, capacity, version, enabled, draining, leaving, connected_to, removed_at ON runners FOR EACH ROW EXECUTE FUNCTION tell_runner_changed();

create table runs (
  id uuid not null,
  team_path text collate "C" not null,
  pipeline_id uuid not null,
  pipeline_version_id uuid not null,
  pipeline_identifier text collate "C" not null,
  pipeline_name text not null,
  pipeline_version integer not null,
  scope text collate "C" not null,
  variables jsonb not null,
  sealed_variables jsonb default '{}'::jsonb not null,
  untrusted boolean default false not null,
  requirement jsonb not null,
  lane text collate "C" generated always as (((scope || ' '::text) || (requirement)::text)) stored not null,
  profile_environment jsonb not null,
  image text,
  resources jsonb default '{}'::jsonb not null,
  profiles jsonb default '{}'::jsonb not null,
  cause text not null,
  initiator_kind text not null,
  initiator_id text not null,
  initiator_name text not null,
  event_id uuid,
  trigger_id uuid,
  manifest_trigger text,
  delivery_record_id uuid,
  replay_of uuid,
  occurred_at timestamp with time zone,
  event_block_id uuid,
  event_offset integer,
  event_bytes integer,
  rerun_of uuid,
  rerun_mode text,
  rerun_step text,
  parent_run_id uuid,
  parent_step text,
  parent_task text,
  parent_attempt integer,
  depth smallint default 0 not null,
  repository text,
  clone_url text,
  ref text,
  branch text,
  commit_sha text,
  ancestors text[],
  pull_request bigint,
  base_ref text,
  head_ref text,
  checkout_credential_ref text,
  withheld text,
  concurrency_group text collate "C",
  on_conflict text,
  priority smallint default 0 not null,
  queue_timeout_ms bigint,
  queue_deadline_at timestamp with time zone,
  status text not null,
  reason text,
  note text,
  revision bigint default 0 not null,
  cancel_requested_at timestamp with time zone,
  cancel_reason text,
  ending jsonb,
  lost_attempts integer default 0 not null,
  final_output_status text default 'none'::text not null,
  final_output_reason text,
  queued_at timestamp with time zone not null,
  started_at timestamp with time zone,
  paused_at timestamp with time zone,
  deadline_at timestamp with time zone,
  finished_at timestamp with time zone,
  schedule_id uuid,
  external_trigger_id uuid,
  scheduled_at timestamp with time zone,
  run_team_path text collate "C",
  constraint runs_pkey PRIMARY KEY (id),
  constraint runs_cause_check CHECK (cause = ANY (ARRAY['event'::text, 'request'::text, 'rerun'::text, 'schedule'::text, 'external'::text, 'pipeline'::text])),
  constraint runs_children_have_cause CHECK ((cause = 'pipeline'::text) = (parent_run_id IS NOT NULL)),
  constraint runs_children_have_depth CHECK ((depth > 0) = (parent_run_id IS NOT NULL)),
  constraint runs_deadline_of_queue CHECK (queue_deadline_at IS NULL OR queue_timeout_ms IS NOT NULL),
  constraint runs_depth_check CHECK (depth >= 0 AND depth <= 5),
  constraint runs_final_output_status_check CHECK (final_output_status = ANY (ARRAY['none'::text, 'pending'::text, 'ready'::text, 'failed'::text])),
  constraint runs_finished_when_terminal CHECK ((status = ANY (ARRAY['success'::text, 'failure'::text, 'warning'::text, 'timed_out'::text, 'canceled'::text])) = (finished_at IS NOT NULL)),
  constraint runs_group_is_whole CHECK ((concurrency_group IS NULL) = (on_conflict IS NULL)),
  constraint runs_held_is_of_pull_request CHECK (withheld <> 'fork_approval'::text OR pull_request IS NOT NULL),
  constraint runs_initiator_kind_check CHECK (initiator_kind = ANY (ARRAY['user'::text, 'service_account'::text, 'bootstrap'::text, 'system'::text])),
  constraint runs_lost_attempts_check CHECK (lost_attempts >= 0),
  constraint runs_on_conflict_check CHECK (on_conflict = ANY (ARRAY['cancel_running'::text, 'queue'::text, 'skip'::text])),
  constraint runs_outputs_after_end CHECK (final_output_status = 'none'::text OR finished_at IS NOT NULL),
  constraint runs_outputs_failed_for_reason CHECK ((final_output_status = 'failed'::text) = (final_output_reason IS NOT NULL)),
  constraint runs_parent_attempt_check CHECK (parent_attempt > 0),
  constraint runs_parent_is_whole CHECK (num_nulls(parent_run_id, parent_step, parent_task, parent_attempt) = ANY (ARRAY[0, 4])),
  constraint runs_parent_run_id_fkey FOREIGN KEY (parent_run_id) REFERENCES runs(id),
  constraint runs_paused_since CHECK ((status = 'paused'::text) = (paused_at IS NOT NULL)),
  constraint runs_pipeline_id_fkey FOREIGN KEY (pipeline_id) REFERENCES pipelines(id),
  constraint runs_pipeline_version_id_fkey FOREIGN KEY (pipeline_version_id) REFERENCES pipeline_versions(id),
  constraint runs_priority_check CHECK (priority >= '-100'::integer AND priority <= 100),
  constraint runs_profiles_check CHECK (jsonb_typeof(profiles) = 'object'::text),
  constraint runs_pull_request_check CHECK (pull_request > 0),
  constraint runs_queue_timeout_ms_check CHECK (queue_timeout_ms > 0),
  constraint runs_refs_of_pull_request CHECK (pull_request IS NOT NULL OR base_ref IS NULL AND head_ref IS NULL),
  constraint runs_rerun_from_step CHECK ((rerun_step IS NOT NULL) = (NOT rerun_mode IS DISTINCT FROM 'step'::text)),
  constraint runs_rerun_is_whole CHECK ((rerun_of IS NULL) = (rerun_mode IS NULL)),
  constraint runs_rerun_mode_check CHECK (rerun_mode = ANY (ARRAY['whole'::text, 'failed'::text, 'step'::text])),
  constraint runs_rerun_of_fkey FOREIGN KEY (rerun_of) REFERENCES runs(id),
  constraint runs_resources_check CHECK (jsonb_typeof(resources) = 'object'::text),
  constraint runs_scheduled_have_schedule CHECK (scheduled_at IS NULL OR schedule_id IS NOT NULL),
  constraint runs_sealed_variables_check CHECK (jsonb_typeof(sealed_variables) = 'object'::text),
  constraint runs_status_check CHECK (status = ANY (ARRAY['queued'::text, 'running'::text, 'paused'::text, 'success'::text, 'failure'::text, 'warning'::text, 'timed_out'::text, 'canceled'::text])),
  constraint runs_withheld_check CHECK (withheld = ANY (ARRAY['fork_approval'::text, 'group'::text]))
);
CREATE INDEX runs_by_branch ON runs USING btree (branch, id DESC) WHERE branch IS NOT NULL;
CREATE INDEX runs_by_cause ON runs USING btree (cause, id DESC) WHERE cause <> 'event'::text;
CREATE INDEX runs_by_commit ON runs USING btree (commit_sha COLLATE "C", id DESC) WHERE commit_sha IS NOT NULL;
CREATE INDEX runs_by_deadline ON runs USING btree (deadline_at) WHERE status = 'running'::text AND deadline_at IS NOT NULL;
CREATE INDEX runs_by_ending ON runs USING btree (status, id DESC) WHERE status = ANY (ARRAY['failure'::text, 'warning'::text, 'timed_out'::text, 'canceled'::text]);
CREATE INDEX runs_by_external_trigger ON runs USING btree (external_trigger_id, id DESC) WHERE external_trigger_id IS NOT NULL;
CREATE INDEX runs_by_initiator ON runs USING btree (initiator_id, id DESC);
CREATE INDEX runs_by_lane_and_start ON runs USING btree (lane, team_path, started_at DESC) WHERE started_at IS NOT NULL;
CREATE INDEX runs_by_pipeline ON runs USING btree (pipeline_id, id DESC);
CREATE INDEX runs_by_pull_request ON runs USING btree (pull_request, id DESC) WHERE pull_request IS NOT NULL;
CREATE INDEX runs_by_queue_deadline ON runs USING btree (queue_deadline_at) WHERE status = 'queued'::text AND withheld IS NULL AND queue_deadline_at IS NOT NULL;
CREATE INDEX runs_by_repository ON runs USING btree (repository, id DESC) WHERE repository IS NOT NULL;
CREATE INDEX runs_by_schedule ON runs USING btree (schedule_id, id DESC) WHERE schedule_id IS NOT NULL;
CREATE INDEX runs_by_scope ON runs USING btree (scope, id DESC);
CREATE INDEX runs_by_team ON runs USING btree (team_path, id DESC);
CREATE INDEX runs_by_team_and_branch ON runs USING btree (team_path, branch, id DESC) WHERE branch IS NOT NULL;
CREATE INDEX runs_by_team_and_ending ON runs USING btree (team_path, status, id DESC) WHERE status = ANY (ARRAY['failure'::text, 'warning'::text, 'timed_out'::text, 'canceled'::text]);
CREATE INDEX runs_by_trigger ON runs USING btree (trigger_id, id DESC) WHERE trigger_id IS NOT NULL OR cause = 'event'::text;
CREATE UNIQUE INDEX runs_child_taken ON runs USING btree (parent_run_id, parent_step, parent_task, parent_attempt) WHERE parent_run_id IS NOT NULL;
CREATE INDEX runs_ended_by_pipeline ON runs USING btree (pipeline_id, id DESC) WHERE finished_at IS NOT NULL AND status <> 'canceled'::text;
CREATE INDEX runs_finished ON runs USING btree (team_path, finished_at DESC) INCLUDE (status, pipeline_id) WHERE finished_at IS NOT NULL;
CREATE INDEX runs_in_flight ON runs USING btree (id) WHERE status = ANY (ARRAY['running'::text, 'paused'::text]);
CREATE INDEX runs_in_group ON runs USING btree (team_path, concurrency_group, id) WHERE concurrency_group IS NOT NULL AND finished_at IS NULL;
CREATE INDEX runs_of_pull_request ON runs USING btree (repository, pull_request) WHERE pull_request IS NOT NULL AND finished_at IS NULL;
CREATE INDEX runs_of_tasks_in_group ON runs USING btree (id) WHERE withheld = 'group'::text AND parent_run_id IS NOT NULL AND finished_at IS NULL;
CREATE INDEX runs_queued ON runs USING btree (lane, team_path, priority DESC, id) WHERE status = 'queued'::text AND withheld IS NULL;
CREATE INDEX runs_succeeded ON runs USING btree (pipeline_id, scope, id DESC) INCLUDE (branch, pull_request) WHERE status = 'success'::text;
CREATE INDEX runs_to_cancel ON runs USING btree (id) WHERE cancel_requested_at IS NOT NULL AND finished_at IS NULL;
CREATE INDEX runs_unfinished_of_schedule ON runs USING btree (schedule_id, id) WHERE schedule_id IS NOT NULL AND finished_at IS NULL;
CREATE INDEX runs_waiting_in_group ON runs USING btree (team_path, concurrency_group, id) WHERE withheld = 'group'::text AND finished_at IS NULL;
CREATE INDEX runs_with_outputs_pending ON runs USING btree (id) WHERE final_output_status = 'pending'::text;
CREATE INDEX runs_with_turn_in_group ON runs USING btree (team_path, concurrency_group) WHERE concurrency_group IS NOT NULL AND finished_at IS NULL AND withheld IS NULL;
CREATE INDEX runs_withheld ON runs USING btree (id) WHERE status = 'queued'::text AND withheld IS NOT NULL;
CREATE TRIGGER runs_child_over AFTER UPDATE OF finished_at, final_output_status ON runs FOR EACH ROW WHEN (new.parent_run_id IS NOT NULL AND new.finished_at IS NOT NULL AND new.final_output_status <> 'pending'::text) EXECUTE FUNCTION notify_child_over();

create table schedule_backfills (
  id uuid not null,
  schedule_id uuid not null,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null,
  only_missing boolean not null,
  concurrency integer not null,
  state text not null,
  requester_kind text not null,
  requester_id text not null,
  requester_name text not null,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint schedule_backfills_pkey PRIMARY KEY (id),
  constraint schedule_backfills_concurrency_check CHECK (concurrency >= 1 AND concurrency <= 50),
  constraint schedule_backfills_finished CHECK ((state = 'running'::text) = (finished_at IS NULL)),
  constraint schedule_backfills_forward CHECK (from_at <= to_at),
  constraint schedule_backfills_requester_kind_check CHECK (requester_kind = ANY (ARRAY['user'::text, 'service_account'::text, 'bootstrap'::text])),
  constraint schedule_backfills_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedules(id) ON DELETE CASCADE,
  constraint schedule_backfills_state_check CHECK (state = ANY (ARRAY['running'::text, 'finished'::text, 'canceled'::text]))
);
CREATE INDEX schedule_backfills_of_schedule ON schedule_backfills USING btree (schedule_id, id DESC);
CREATE INDEX schedule_backfills_running ON schedule_backfills USING btree (id) WHERE state = 'running'::text;
CREATE TRIGGER schedule_backfills_inserted AFTER INSERT ON schedule_backfills FOR EACH STATEMENT EXECUTE FUNCTION notify_schedules_changed();
CREATE TRIGGER schedule_backfills_tell_changed AFTER UPDATE ON schedule_backfills REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_backfills_changed();
CREATE TRIGGER schedule_backfills_tell_created AFTER INSERT ON schedule_backfills REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_backfills_changed();

create table schedule_fires (
  id uuid not null,
  schedule_id uuid not null,
  kind text not null,
  backfill_id uuid,
  planned_at timestamp with time zone not null,
  nominal_at timestamp with time zone not null,
  fired_at timestamp with time zone,
  outcome text not null,
  run_id uuid,
  reason text,
  missed_count integer default 1 not null,
  missed_until timestamp with time zone,
  pipeline text collate "C",
  constraint schedule_fires_pkey PRIMARY KEY (id),
  constraint schedule_fires_backfill_id_fkey FOREIGN KEY (backfill_id) REFERENCES schedule_backfills(id) ON DELETE CASCADE,
  constraint schedule_fires_count_of_missed CHECK (missed_count = 1 OR outcome = 'missed'::text),
  constraint schedule_fires_decided CHECK ((outcome = 'pending'::text) = (fired_at IS NULL)),
  constraint schedule_fires_kind_check CHECK (kind = ANY (ARRAY['scheduled'::text, 'requested'::text, 'backfill'::text])),
  constraint schedule_fires_missed_count_check CHECK (missed_count > 0),
  constraint schedule_fires_nothing_for_reason CHECK ((outcome = ANY (ARRAY['missed'::text, 'skipped_overlap'::text, 'denied'::text, 'invalid'::text])) = (reason IS NOT NULL)),
  constraint schedule_fires_of_backfill CHECK ((kind = 'backfill'::text) = (backfill_id IS NOT NULL)),
  constraint schedule_fires_outcome_check CHECK (outcome = ANY (ARRAY['pending'::text, 'started'::text, 'missed'::text, 'skipped_overlap'::text, 'denied'::text, 'invalid'::text, 'canceled'::text])),
  constraint schedule_fires_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES schedules(id) ON DELETE CASCADE,
  constraint schedule_fires_started_has_run CHECK ((outcome = 'started'::text) = (run_id IS NOT NULL)),
  constraint schedule_fires_until_of_missed CHECK ((missed_count > 1) = (missed_until IS NOT NULL)),
  constraint schedule_fires_wait_in_backfill CHECK ((outcome <> ALL (ARRAY['pending'::text, 'canceled'::text])) OR kind = 'backfill'::text)
);
CREATE INDEX schedule_fires_by_age ON schedule_fires USING btree (fired_at) WHERE fired_at IS NOT NULL;
CREATE INDEX schedule_fires_by_instant ON schedule_fires USING btree (schedule_id, planned_at);
CREATE INDEX schedule_fires_by_run ON schedule_fires USING btree (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX schedule_fires_of_schedule ON schedule_fires USING btree (schedule_id, id DESC);
CREATE UNIQUE INDEX schedule_fires_once ON schedule_fires USING btree (schedule_id, planned_at) WHERE kind = 'scheduled'::text;
CREATE UNIQUE INDEX schedule_fires_once_in_backfill ON schedule_fires USING btree (backfill_id, planned_at) WHERE backfill_id IS NOT NULL;
CREATE INDEX schedule_fires_that_did_not_start ON schedule_fires USING btree (schedule_id, outcome, id DESC) WHERE outcome = ANY (ARRAY['missed'::text, 'skipped_overlap'::text, 'denied'::text, 'invalid'::text]);
CREATE INDEX schedule_fires_waiting ON schedule_fires USING btree (backfill_id, planned_at) WHERE outcome = 'pending'::text;
CREATE TRIGGER schedule_fires_tell_changed AFTER UPDATE ON schedule_fires REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_other_fires();
CREATE TRIGGER schedule_fires_tell_created AFTER INSERT ON schedule_fires REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_other_fires();

create table schedules (
  id uuid not null,
  team_path text collate "C" not null,
  name text collate "C" not null,
  pipeline text collate "C" not null,
  scope text collate "C" not null,
  run_team_path text collate "C",
  variables jsonb not null,
  repository text,
  ref text,
  schedule_kind text not null,
  cron_expression text,
  run_at text,
  timezone text not null,
  dst_policy text not null,
  spread text,
  exclude_dates text[] not null,
  calendar text,
  not_before timestamp with time zone,
  not_after timestamp with time zone,
  overlap_policy text not null,
  misfire_policy text not null,
  misfire_grace_seconds integer not null,
  misfire_window_seconds integer not null,
  owner_kind text not null,
  owner_id text not null,
  owner_name text not null,
  enabled boolean not null,
  next_fire_at timestamp with time zone,
  retry_at timestamp with time zone,
  retry_reason text,
  last_fire_at timestamp with time zone,
  last_outcome text,
  last_reason text,
  last_run_id uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint schedules_pkey PRIMARY KEY (id),
  constraint schedules_checkout_is_whole CHECK ((repository IS NULL) = (ref IS NULL)),
  constraint schedules_disabled_rest CHECK (enabled OR next_fire_at IS NULL),
  constraint schedules_dst_policy_check CHECK (dst_policy = ANY (ARRAY['once'::text, 'skip'::text, 'both'::text])),
  constraint schedules_kind_has_timing CHECK (
CASE schedule_kind
    WHEN 'recurring'::text THEN cron_expression IS NOT NULL
    ELSE run_at IS NOT NULL
END),
  constraint schedules_last_outcome_check CHECK (last_outcome = ANY (ARRAY['started'::text, 'missed'::text, 'skipped_overlap'::text, 'denied'::text, 'invalid'::text])),
  constraint schedules_misfire_grace_seconds_check CHECK (misfire_grace_seconds >= 0 AND misfire_grace_seconds <= 86400),
  constraint schedules_misfire_policy_check CHECK (misfire_policy = ANY (ARRAY['skip'::text, 'last'::text, 'all'::text])),
  constraint schedules_misfire_window_seconds_check CHECK (misfire_window_seconds >= 0 AND misfire_window_seconds <= 2678400),
  constraint schedules_name_check CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'::text),
  constraint schedules_name_taken UNIQUE (team_path, name),
  constraint schedules_overlap_policy_check CHECK (overlap_policy = ANY (ARRAY['allow'::text, 'skip'::text, 'queue_one'::text, 'cancel_running'::text])),
  constraint schedules_owner_kind_check CHECK (owner_kind = ANY (ARRAY['user'::text, 'service_account'::text, 'bootstrap'::text])),
  constraint schedules_retry_has_reason CHECK ((retry_at IS NULL) = (retry_reason IS NULL)),
  constraint schedules_run_team_path_fkey FOREIGN KEY (run_team_path) REFERENCES teams(path) ON UPDATE CASCADE ON DELETE SET NULL,
  constraint schedules_schedule_kind_check CHECK (schedule_kind = ANY (ARRAY['recurring'::text, 'one_time'::text])),
  constraint schedules_team_path_fkey FOREIGN KEY (team_path) REFERENCES teams(path) ON UPDATE CASCADE ON DELETE RESTRICT,
  constraint schedules_variables_check CHECK (jsonb_typeof(variables) = 'object'::text)
);
CREATE INDEX schedules_by_pipeline ON schedules USING btree (pipeline);
CREATE INDEX schedules_due ON schedules USING btree (COALESCE(retry_at, next_fire_at), id) WHERE next_fire_at IS NOT NULL;
CREATE TRIGGER schedules_inserted AFTER INSERT ON schedules FOR EACH STATEMENT EXECUTE FUNCTION notify_schedules_changed();
CREATE TRIGGER schedules_tell_changed AFTER UPDATE ON schedules REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_schedules_changed('changed');
CREATE TRIGGER schedules_tell_created AFTER INSERT ON schedules REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_schedules_changed('created');
CREATE TRIGGER schedules_tell_gone AFTER DELETE ON schedules REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_schedules_changed('gone');

create table schema_migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table secret_versions (
  secret_id uuid not null,
  version integer not null,
  sealed bytea not null,
  key_version integer not null,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint secret_versions_pkey PRIMARY KEY (secret_id, version),
  constraint secret_versions_secret_id_fkey FOREIGN KEY (secret_id) REFERENCES secrets(id) ON DELETE CASCADE,
  constraint secret_versions_version_check CHECK (version > 0)
);
CREATE INDEX secret_versions_by_key ON secret_versions USING btree (key_version);

create table secrets (
  id uuid not null,
  team_path text collate "C" not null,
  name text collate "C" not null,
  version integer not null,
  environments text[] not null,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint secrets_pkey PRIMARY KEY (id),
  constraint secrets_name_check CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$'::text),
  constraint secrets_name_taken UNIQUE (team_path, name),
  constraint secrets_team_path_fkey FOREIGN KEY (team_path) REFERENCES teams(path) ON UPDATE CASCADE ON DELETE RESTRICT,
  constraint secrets_version_check CHECK (version > 0)
);
CREATE TRIGGER secrets_notify AFTER INSERT OR DELETE OR UPDATE OF version ON secrets FOR EACH STATEMENT EXECUTE FUNCTION notify_sources_changed();

create table service_accounts (
  id uuid not null,
  team_path text collate "C" not null,
  name text collate "C" not null,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint service_accounts_pkey PRIMARY KEY (id),
  constraint service_accounts_name_check CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'::text),
  constraint service_accounts_name_taken UNIQUE (team_path, name),
  constraint service_accounts_team_path_fkey FOREIGN KEY (team_path) REFERENCES teams(path) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE TRIGGER service_accounts_raise_access_revision AFTER INSERT OR DELETE OR UPDATE ON service_accounts FOR EACH STATEMENT EXECUTE FUNCTION raise_access_revision();

create table sessions (
  id uuid not null,
  digest bytea not null,
  user_id uuid not null,
  method text not null,
  provider text collate "C",
  user_agent text not null,
  address text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_digest_check CHECK (octet_length(digest) = 32),
  constraint sessions_digest_taken UNIQUE (digest),
  constraint sessions_expires_check CHECK (expires_at > created_at),
  constraint sessions_method_check CHECK (method = ANY (ARRAY['password'::text, 'openid'::text])),
  constraint sessions_provider_check CHECK ((method = 'openid'::text) = (provider IS NOT NULL)),
  constraint sessions_user_agent_check CHECK (char_length(user_agent) <= 300),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_expired ON sessions USING btree (expires_at);
CREATE INDEX sessions_of_user ON sessions USING btree (user_id, id) WHERE revoked_at IS NULL;
CREATE INDEX sessions_revoked ON sessions USING btree (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE TRIGGER sessions_raise_access_revision AFTER DELETE OR UPDATE OF revoked_at, expires_at ON sessions FOR EACH STATEMENT EXECUTE FUNCTION raise_access_revision();

create table settings (
  path text collate "C" not null,
  version integer not null,
  document jsonb not null,
  sealed jsonb not null,
  saved_by text not null,
  saved_at timestamp with time zone not null,
  constraint settings_pkey PRIMARY KEY (path, version),
  constraint settings_path_check CHECK (path ~ '^setting/[a-z0-9_/-]+\.yaml$'::text),
  constraint settings_version_check CHECK (version > 0)
);

create table source_connections (
  source_id uuid not null,
  repository_key text collate "C" not null,
  repository text not null,
  hook_id text,
  connected_at timestamp with time zone,
  checked_at timestamp with time zone,
  differences text[] not null,
  fault text,
  first_delivery_at timestamp with time zone,
  secret_id uuid,
  secret_version integer,
  held_until timestamp with time zone,
  constraint source_connections_pkey PRIMARY KEY (source_id, repository_key),
  constraint source_connections_made CHECK (num_nulls(hook_id, connected_at, checked_at) = ANY (ARRAY[0, 3])),
  constraint source_connections_secret_whole CHECK (num_nulls(secret_id, secret_version) = ANY (ARRAY[0, 2])),
  constraint source_connections_source_id_fkey FOREIGN KEY (source_id) REFERENCES webhook_sources(id) ON DELETE CASCADE
);

create table sources_revision (
  one boolean default true not null,
  revision bigint not null,
  constraint sources_revision_pkey PRIMARY KEY (one),
  constraint sources_revision_one_check CHECK (one)
);

create table spent_sign_ins (
  digest bytea not null,
  expires_at timestamp with time zone not null,
  constraint spent_sign_ins_pkey PRIMARY KEY (digest),
  constraint spent_sign_ins_digest_check CHECK (octet_length(digest) = 32)
);
CREATE INDEX spent_sign_ins_by_end ON spent_sign_ins USING btree (expires_at);

create table step_workspaces (
  runner_id uuid not null,
  run_id uuid not null,
  step text not null,
  constraint step_workspaces_pkey PRIMARY KEY (runner_id, run_id, step),
  constraint step_workspaces_run_id_step_fkey FOREIGN KEY (run_id, step) REFERENCES run_steps(run_id, step) ON DELETE CASCADE,
  constraint step_workspaces_runner_id_fkey FOREIGN KEY (runner_id) REFERENCES runners(id)
);
CREATE INDEX step_workspaces_by_step ON step_workspaces USING btree (run_id, step);

create table sticky_comments (
  source_id uuid not null,
  repository text collate "C" not null,
  number integer not null,
  marker uuid not null,
  comment_id text,
  creating boolean default false not null,
  recreated_at timestamp with time zone,
  told text,
  told_at timestamp with time zone,
  held_until timestamp with time zone,
  notes jsonb default '[]'::jsonb not null,
  answers jsonb default '[]'::jsonb not null,
  given_up_reason text,
  given_up_at timestamp with time zone,
  constraint sticky_comments_pkey PRIMARY KEY (source_id, repository, number)
);
CREATE INDEX sticky_comments_by_age ON sticky_comments USING btree (told_at);

create table storage_quotas (
  team_path text collate "C" not null,
  artifact_bytes bigint,
  cache_bytes bigint,
  updated_at timestamp with time zone not null,
  constraint storage_quotas_pkey PRIMARY KEY (team_path),
  constraint storage_quotas_artifact_bytes_check CHECK (artifact_bytes >= 0),
  constraint storage_quotas_cache_bytes_check CHECK (cache_bytes >= 0)
);

create table suspected_changes (
  id uuid not null,
  change_key bytea not null,
  source_id uuid not null,
  repository text collate "C" not null,
  ref text,
  pull_request bigint,
  before_sha text,
  head_sha text not null,
  head_at timestamp with time zone,
  noted_at timestamp with time zone not null,
  suspected_at timestamp with time zone not null,
  since timestamp with time zone not null,
  made_at timestamp with time zone,
  made_event_id uuid,
  made_delivery_id uuid,
  ended_at timestamp with time zone,
  constraint suspected_changes_pkey PRIMARY KEY (id),
  constraint suspected_changes_key_check CHECK (length(change_key) = 32),
  constraint suspected_changes_made CHECK (num_nulls(made_at, made_event_id, made_delivery_id) = ANY (ARRAY[0, 3])),
  constraint suspected_changes_of_one CHECK (num_nonnulls(ref, pull_request) = 1)
);
CREATE INDEX suspected_changes_by_age ON suspected_changes USING btree (suspected_at);
CREATE UNIQUE INDEX suspected_changes_by_event ON suspected_changes USING btree (made_event_id) WHERE made_event_id IS NOT NULL;
CREATE INDEX suspected_changes_by_key ON suspected_changes USING btree (change_key, made_at) WHERE made_at IS NOT NULL;
CREATE INDEX suspected_changes_of_place ON suspected_changes USING btree (source_id, repository);
CREATE INDEX suspected_changes_of_repository ON suspected_changes USING btree (source_id, repository) WHERE made_at IS NULL;
CREATE UNIQUE INDEX suspected_changes_once ON suspected_changes USING btree (change_key, head_sha, COALESCE(before_sha, ''::text), noted_at) WHERE made_at IS NOT NULL;
CREATE UNIQUE INDEX suspected_changes_open ON suspected_changes USING btree (change_key) WHERE made_at IS NULL;

create table teams (
  id uuid not null,
  path text collate "C" not null,
  name text not null,
  parent_id uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint teams_pkey PRIMARY KEY (id),
  constraint teams_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES teams(id) ON DELETE RESTRICT,
  constraint teams_path_form CHECK (path ~ '^[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*){0,7}$'::text AND length(path) <= 500),
  constraint teams_path_taken UNIQUE (path)
);
CREATE INDEX teams_by_parent ON teams USING btree (parent_id);
CREATE TRIGGER teams_raise_access_revision AFTER INSERT OR DELETE OR UPDATE ON teams FOR EACH STATEMENT EXECUTE FUNCTION raise_access_revision();

create table tokens (
  id uuid not null,
  name text not null,
  token_sha256 bytea not null,
  last_four text not null,
  user_id uuid,
  service_account_id uuid,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  permissions text[],
  team_path text collate "C",
  read_only boolean default false not null,
  families text[],
  constraint tokens_pkey PRIMARY KEY (id),
  constraint tokens_families_named CHECK (cardinality(families) > 0 AND array_position(families, NULL::text) IS NULL),
  constraint tokens_have_one_owner CHECK (num_nonnulls(user_id, service_account_id) = 1),
  constraint tokens_permissions_named CHECK (cardinality(permissions) > 0 AND array_position(permissions, NULL::text) IS NULL),
  constraint tokens_service_account_id_fkey FOREIGN KEY (service_account_id) REFERENCES service_accounts(id) ON DELETE CASCADE,
  constraint tokens_sha256_taken UNIQUE (token_sha256),
  constraint tokens_team_path_form CHECK (team_path ~ '^[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*){0,7}$'::text),
  constraint tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX tokens_by_service_account ON tokens USING btree (service_account_id);
CREATE INDEX tokens_by_user ON tokens USING btree (user_id);
CREATE TRIGGER tokens_raise_access_revision AFTER DELETE OR UPDATE OF revoked_at, expires_at ON tokens FOR EACH STATEMENT EXECUTE FUNCTION raise_access_revision();

create table trigger_events (
  id uuid not null,
  delivery_record_id uuid,
  source_id uuid,
  replay_of uuid,
  kind text not null,
  action text,
  provider text not null,
  repository text not null,
  ref text,
  commit_sha text,
  event json,
  ref_key bytea,
  ref_change bytea,
  resolution text,
  deferred_triggers uuid[],
  tries integer,
  received_at timestamp with time zone not null,
  result text not null,
  trace json,
  poster_kind text,
  poster_id text,
  poster_name text,
  team_path text collate "C",
  direct_run_id uuid,
  before_sha text,
  constraint trigger_events_pkey PRIMARY KEY (id),
  constraint trigger_events_one_cause CHECK (source_id IS NULL OR poster_id IS NULL),
  constraint trigger_events_pending_waits CHECK ((result = 'pending'::text) = (NOT resolution IS DISTINCT FROM 'pending'::text)),
  constraint trigger_events_poster_kind_check CHECK (poster_kind = ANY (ARRAY['user'::text, 'service_account'::text, 'bootstrap'::text, 'system'::text])),
  constraint trigger_events_poster_whole CHECK (num_nulls(poster_kind, poster_id, poster_name, team_path, trace) = ANY (ARRAY[0, 5])),
  constraint trigger_events_ref_change_check CHECK (length(ref_change) = 32),
  constraint trigger_events_ref_key_check CHECK (length(ref_key) = 32),
  constraint trigger_events_resolution_check CHECK (resolution = ANY (ARRAY['pending'::text, 'done'::text])),
  constraint trigger_events_result_check CHECK (result = ANY (ARRAY['accepted'::text, 'ignored'::text, 'duplicate'::text, 'refused'::text, 'pending'::text]))
) partition by RANGE (id);
CREATE INDEX trigger_events_by_commit ON ONLY trigger_events USING btree (source_id, commit_sha COLLATE "C", id DESC) WHERE commit_sha IS NOT NULL;
CREATE INDEX trigger_events_by_full_ref ON ONLY trigger_events USING btree (source_id, lower(repository), ref, id DESC) WHERE ref IS NOT NULL;
CREATE INDEX trigger_events_by_poster ON ONLY trigger_events USING btree (poster_kind, poster_id, id DESC) WHERE source_id IS NULL;
CREATE INDEX trigger_events_by_ref ON ONLY trigger_events USING btree (ref_key, id) WHERE ref_key IS NOT NULL;
CREATE INDEX trigger_events_by_repository ON ONLY trigger_events USING btree (source_id, lower(repository), id DESC);
CREATE INDEX trigger_events_by_source ON ONLY trigger_events USING btree (source_id, id DESC);
CREATE INDEX trigger_events_by_team ON ONLY trigger_events USING btree (team_path, id DESC) WHERE source_id IS NULL;
CREATE INDEX trigger_events_pending ON ONLY trigger_events USING btree (id) WHERE resolution = 'pending'::text;

create table trigger_events_default partition of trigger_events DEFAULT;
CREATE INDEX trigger_events_default_id_idx ON trigger_events_default USING btree (id) WHERE resolution = 'pending'::text;
CREATE INDEX trigger_events_default_poster_kind_poster_id_id_idx ON trigger_events_default USING btree (poster_kind, poster_id, id DESC) WHERE source_id IS NULL;
CREATE INDEX trigger_events_default_ref_key_id_idx ON trigger_events_default USING btree (ref_key, id) WHERE ref_key IS NOT NULL;
CREATE INDEX trigger_events_default_source_id_commit_sha_id_idx ON trigger_events_default USING btree (source_id, commit_sha COLLATE "C", id DESC) WHERE commit_sha IS NOT NULL;
CREATE INDEX trigger_events_default_source_id_id_idx ON trigger_events_default USING btree (source_id, id DESC);
CREATE INDEX trigger_events_default_source_id_lower_id_idx ON trigger_events_default USING btree (source_id, lower(repository), id DESC);
CREATE INDEX trigger_events_default_source_id_lower_ref_id_idx ON trigger_events_default USING btree (source_id, lower(repository), ref, id DESC) WHERE ref IS NOT NULL;
CREATE INDEX trigger_events_default_team_path_id_idx ON trigger_events_default USING btree (team_path, id DESC) WHERE source_id IS NULL;

create table triggers (
  id uuid not null,
  team_path text collate "C" not null,
  name text collate "C" not null,
  source_id uuid,
  source_lost_at timestamp with time zone,
  repositories text[] not null,
  events text[] not null,
  actions text[] not null,
  branches text[] not null,
  tags text[] not null,
  paths text[] not null,
  labels text[] not null,
  draft text not null,
  commands text[] not null,
  commenters text[] not null,
  skip_ci boolean not null,
  condition text,
  pipeline text collate "C" not null,
  scope text collate "C" not null,
  variables jsonb not null,
  concurrency_group text,
  on_conflict text,
  enabled boolean not null,
  owner_kind text not null,
  owner_id text not null,
  owner_name text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  report_comment boolean default false not null,
  constraint triggers_pkey PRIMARY KEY (id),
  constraint triggers_draft_check CHECK (draft = ANY (ARRAY['any'::text, 'exclude'::text, 'only'::text])),
  constraint triggers_events_check CHECK (cardinality(events) > 0),
  constraint triggers_group_is_whole CHECK ((concurrency_group IS NULL) = (on_conflict IS NULL)),
  constraint triggers_name_check CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'::text),
  constraint triggers_name_taken UNIQUE (team_path, name),
  constraint triggers_on_conflict_check CHECK (on_conflict = ANY (ARRAY['cancel_running'::text, 'queue'::text, 'skip'::text])),
  constraint triggers_owner_kind_check CHECK (owner_kind = ANY (ARRAY['user'::text, 'service_account'::text, 'bootstrap'::text])),
  constraint triggers_repositories_check CHECK (cardinality(repositories) > 0),
  constraint triggers_source_exists FOREIGN KEY (source_id) REFERENCES webhook_sources(id) ON DELETE SET NULL,
  constraint triggers_team_path_fkey FOREIGN KEY (team_path) REFERENCES teams(path) ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE INDEX triggers_by_pipeline ON triggers USING btree (pipeline);
CREATE INDEX triggers_by_source ON triggers USING btree (source_id);
CREATE TRIGGER triggers_deleted AFTER DELETE ON triggers REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_triggers_changed();
CREATE TRIGGER triggers_emptied AFTER TRUNCATE ON triggers FOR EACH STATEMENT EXECUTE FUNCTION record_triggers_emptied();
CREATE TRIGGER triggers_inserted AFTER INSERT ON triggers REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_triggers_changed();
CREATE TRIGGER triggers_updated AFTER UPDATE ON triggers REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_triggers_changed();

create table triggers_changes (
  trigger_id uuid not null,
  revision bigint not null,
  constraint triggers_changes_pkey PRIMARY KEY (trigger_id)
);
CREATE UNIQUE INDEX triggers_changes_in_order ON triggers_changes USING btree (revision, trigger_id);

create table triggers_revision (
  one boolean default true not null,
  revision bigint not null,
  complete_since bigint not null,
  constraint triggers_revision_pkey PRIMARY KEY (one),
  constraint triggers_revision_one_check CHECK (one)
);

create table users (
  id uuid not null,
  login text collate "C" not null,
  name text not null,
  email text,
  password_hash text,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_login_check CHECK (login ~ '^[a-z0-9][a-z0-9._@+-]{0,99}$'::text),
  constraint users_login_taken UNIQUE (login)
);
CREATE TRIGGER users_raise_access_revision AFTER INSERT OR DELETE OR UPDATE ON users FOR EACH STATEMENT EXECUTE FUNCTION raise_access_revision();

create table webhook_sources (
  id uuid not null,
  name text collate "C" not null,
  provider text not null,
  base_url text,
  enabled boolean not null,
  team_path text collate "C" not null,
  visibility text not null,
  auth_mode text not null,
  credential_ref text not null,
  checkout_credential_ref text,
  read_repository boolean not null,
  report_status boolean not null,
  repository_allowlist text[] not null,
  rate_limit_per_minute integer not null,
  acknowledge_unmapped boolean not null,
  owner_kind text not null,
  owner_id text not null,
  owner_name text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  comment_commands boolean default false not null,
  constraint webhook_sources_pkey PRIMARY KEY (id),
  constraint webhook_sources_auth_mode_check CHECK (auth_mode = ANY (ARRAY['signature'::text, 'token'::text, 'basic'::text])),
  constraint webhook_sources_name_check CHECK (length(name) >= 1 AND length(name) <= 100),
  constraint webhook_sources_name_taken UNIQUE (name),
  constraint webhook_sources_owner_kind_check CHECK (owner_kind = ANY (ARRAY['user'::text, 'service_account'::text, 'bootstrap'::text])),
  constraint webhook_sources_provider_check CHECK (provider = ANY (ARRAY['github'::text, 'gitlab'::text, 'gitea'::text, 'forgejo'::text, 'gogs'::text, 'bitbucket'::text, 'bitbucket_datacenter'::text, 'azure_devops'::text, 'generic'::text])),
  constraint webhook_sources_rate_limit_per_minute_check CHECK (rate_limit_per_minute >= 1 AND rate_limit_per_minute <= 1000000),
  constraint webhook_sources_reports_with_credential CHECK (NOT report_status OR checkout_credential_ref IS NOT NULL),
  constraint webhook_sources_repository_allowlist_check CHECK (cardinality(repository_allowlist) > 0),
  constraint webhook_sources_team_path_fkey FOREIGN KEY (team_path) REFERENCES teams(path) ON UPDATE CASCADE ON DELETE RESTRICT,
  constraint webhook_sources_visibility_check CHECK (visibility = ANY (ARRAY['private'::text, 'shared'::text]))
);
CREATE INDEX webhook_sources_by_checkout_credential ON webhook_sources USING btree (checkout_credential_ref) WHERE checkout_credential_ref IS NOT NULL;
CREATE INDEX webhook_sources_by_credential ON webhook_sources USING btree (credential_ref);
CREATE INDEX webhook_sources_by_team ON webhook_sources USING btree (team_path);
CREATE TRIGGER webhook_sources_notify AFTER INSERT OR DELETE OR UPDATE ON webhook_sources FOR EACH STATEMENT EXECUTE FUNCTION notify_sources_changed();

CREATE OR REPLACE FUNCTION public.copy_team_of_run()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.team_path := (select team_path from runs where id = new.run_id);
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.ensure_day_partition(parent text, day date)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  name text := parent || to_char(day, '_YYYYMMDD');
  low uuid := lowest_id_of(day::timestamp at time zone 'UTC');
  high uuid := lowest_id_of((day + 1)::timestamp at time zone 'UTC');
begin
  perform pg_advisory_xact_lock(hashtextextended('day partitions of ' || parent, 0));
  -- Not to_regclass: it would not see a partition that another transaction made while this one waited.
  if exists (select from pg_class where relname = name and relnamespace = current_schema()::regnamespace) then
    return false;
  end if;
  execute format('create table %I (like %I including defaults including constraints including storage)', name, parent);
  -- Nothing may come in between: what arrives now waits and finds the partition.
  execute format('lock table only %I in access exclusive mode', parent || '_default');
  execute format('with moved as (delete from %I where id >= %L and id < %L returning *) insert into %I select * from moved',
    parent || '_default', low, high, name);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, low, high);
  return true;
end $function$
;

CREATE OR REPLACE FUNCTION public.lowest_id_of(at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$function$
;

CREATE OR REPLACE FUNCTION public.notify_child_over()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('runs_child_over', new.parent_run_id::text);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.notify_emergencies_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('emergencies_changed', '');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.notify_git_apps_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('git_apps_changed', coalesce(new.provider, old.provider));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.notify_git_installation_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('git_apps_changed', old.provider || ' ' || old.installation_id);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.notify_git_repositories_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('git_apps_changed', provider || ' ' || installation_id)
    from git_installations where id in (select distinct installation from gone);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.notify_knowledge_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update knowledge_revision set revision = revision + 1;
  perform pg_notify('knowledge_changed', '');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.notify_overrides_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update overrides_revision set revision = revision + 1;
  perform pg_notify('overrides_changed', '');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.notify_pipelines_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('pipelines_changed', '');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.notify_profiles_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('profiles_changed', '');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.notify_runners_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('runners_changed', '');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.notify_schedules_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('schedules_changed', '');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.notify_sources_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update sources_revision set revision = revision + 1;
  perform pg_notify('sources_changed', '');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.number_repository_name()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update repository_names_revision set revision = revision + 1 returning revision into new.revision;
  perform pg_notify('repository_names_changed', '');
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.raise_access_revision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update access_revision set revision = revision + 1;
  perform pg_notify('access_changed', '');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.raise_triggers_revision()
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  raised bigint;
begin
  update triggers_revision
    set revision = revision + 1, complete_since = greatest(complete_since, revision - 999)
    returning revision into raised;
  delete from triggers_changes where revision <= raised - 1000;
  perform pg_notify('triggers_changed', '');
  return raised;
end $function$
;

CREATE OR REPLACE FUNCTION public.record_repository_names_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update repository_names_revision set revision = revision + 1, complete_since = revision + 1;
  perform pg_notify('repository_names_changed', '');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.record_triggers_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  raised bigint;
begin
  if not exists (select from changed) then
    return null;
  end if;
  raised := raise_triggers_revision();
  insert into triggers_changes (trigger_id, revision)
    select id, raised from changed
    on conflict (trigger_id) do update set revision = excluded.revision;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.record_triggers_emptied()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  raised bigint := raise_triggers_revision();
begin
  update triggers_revision set complete_since = raised;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_change_of_knowledge_revision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'revisions of knowledge are never changed';
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_repeated_deliveries(repeated boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if repeated then
    raise unique_violation using message = 'a delivery came before', constraint = 'delivery_keys_pkey';
  end if;
  return true;
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_repeated_starts(repeated boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if repeated then
    raise unique_violation using message = 'an event started this before', constraint = 'event_starts_pkey';
  end if;
  return true;
end $function$
;

CREATE OR REPLACE FUNCTION public.tell_backfills_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('schedule_changed', 'changed ' || team_path
      || case when count(distinct schedules.id) = 1 then ' ' || min(schedules.id::text) else '' end)
    from changed join schedules on schedules.id = changed.schedule_id group by team_path;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.tell_other_fires()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('schedule_changed', 'changed ' || team_path
      || case when count(distinct schedules.id) = 1 then ' ' || min(schedules.id::text) else '' end)
    from changed join schedules on schedules.id = changed.schedule_id
    where changed.kind <> 'scheduled' group by team_path;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.tell_plan()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('plan_changed', case tg_op when 'INSERT' then 'created' else 'changed' end || ' ' || new.id || ' ' || new.id);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.tell_runner_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change text := case when tg_op = 'INSERT' then 'created' when new.removed_at is null then 'changed' else 'gone' end;
begin
  perform pg_notify('runner_changed', change || ' ' || new.team_path || ' ' || new.id);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.tell_schedules_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('schedule_changed',
      tg_argv[0] || ' ' || team_path || case when count(*) = 1 then ' ' || min(id::text) else '' end)
    from changed group by team_path;
  return null;
end $function$
;
