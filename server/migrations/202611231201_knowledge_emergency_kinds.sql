alter table emergencies
  add constraint emergencies_declared_kind_check
    check (declared_kind in ('user', 'service_account', 'bootstrap', 'system')),
  add constraint emergencies_lifted_kind_check
    check (lifted_kind in ('user', 'service_account', 'bootstrap', 'system'));
