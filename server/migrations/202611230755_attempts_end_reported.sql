-- Its runner said how it ended, behind all lines of its log: none are missing at the end.
alter table attempts add column end_reported boolean not null default false;
