-- Which of two live versions a sender still signs with: the older one can go once it is not used any more.
alter table secret_versions add column last_used_at timestamptz;
