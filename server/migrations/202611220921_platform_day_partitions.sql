-- Tables that grow with what arrives are kept by day: what is too old goes as a whole file, at once, instead of row by
-- row. Ids are UUIDv7, so that the id of a row says its day and is also the key of the table.

-- Everything made before the instant has a lower id.
create function lowest_id_of(at timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

-- When the id was made, to the millisecond.
create function instant_of(id uuid) returns timestamptz language sql immutable as $$
  select to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
$$;

-- Makes the partition of one day (UTC) unless it is there; rows of that day that came without it move in. Answers
-- whether it was made. Writers wait only for the instant in which it is attached.
create function ensure_day_partition(parent text, day date) returns boolean language plpgsql as $$
declare
  name text := parent || to_char(day, '_YYYYMMDD');
  low uuid := lowest_id_of(day::timestamp at time zone 'UTC');
  high uuid := lowest_id_of((day + 1)::timestamp at time zone 'UTC');
begin
  perform pg_advisory_xact_lock(hashtextextended('day partitions of ' || parent, 0));
  -- Not to_regclass: it would not see what another one made while this one waited.
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
end $$;

-- Turns a table with the key `id` into one that is kept by day, with its rows and without its indexes. `<table>_default`
-- takes what belongs to no day that there is a partition of.
create function partition_by_day(name text) returns void language plpgsql as $$
declare
  whole text := name || '_whole';
  day date;
begin
  execute format('alter table %I rename to %I', name, whole);
  execute format('create table %I (like %I including defaults including constraints including storage)
    partition by range (id)', name, whole);
  execute format('create table %I partition of %I default', name || '_default', name);
  for day in execute format('select distinct (instant_of(id) at time zone %L)::date from %I
    where id >= lowest_id_of(now() - interval %L) and id < lowest_id_of(now() + interval %L)', 'UTC', whole, '400 days', '1 day')
  loop
    perform ensure_day_partition(name, day);
  end loop;
  execute format('insert into %I select * from %I', name, whole);
  execute format('drop table %I', whole);
end $$;
