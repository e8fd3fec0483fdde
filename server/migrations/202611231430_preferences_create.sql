-- How each user likes the page: one document, of no meaning to anybody else.
create table preferences (
  user_id uuid primary key references users (id) on delete cascade,
  -- At most 16 KiB as it is sent; stored text has spaces besides.
  document jsonb not null check (jsonb_typeof(document) = 'object' and octet_length(document::text) <= 20000),
  updated_at timestamptz not null
);
