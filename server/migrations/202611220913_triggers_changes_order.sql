-- One statement may change many triggers at one revision: they are read page by page.
drop index triggers_changes_by_revision;
create unique index triggers_changes_in_order on triggers_changes (revision, trigger_id);
