alter table approval_requests
  add constraint approval_requests_initiator_kind_check
    check (initiator_kind in ('user', 'service_account', 'bootstrap', 'system'));
