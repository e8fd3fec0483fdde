-- Whoever keeps the login of an app in memory hears of it, too; an update that changes nothing is told to nobody.
drop trigger git_apps_tell_changes on git_apps;
create trigger git_apps_tell_changes after insert or delete on git_apps
  for each row execute function notify_git_apps_changed();
create trigger git_apps_tell_updates after update on git_apps
  for each row when (
    (old.base_url, old.app_id, old.credential_ref, old.slug, old.source_id)
    is distinct from (new.base_url, new.app_id, new.credential_ref, new.slug, new.source_id))
  execute function notify_git_apps_changed();
