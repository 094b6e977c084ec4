-- What a provider sent us, kept as it came before anything is made of it.
create table provider_callbacks (
  id           uuid        primary key,
  provider     text        not null,
  token        text        not null,
  headers      jsonb       not null,
  body         bytea       not null,
  received_at  timestamptz not null,
  processed_at timestamptz,
  result       text        check (result in ('applied', 'unmatched')),
  check ((processed_at is null) = (result is null))
);

create index provider_callbacks_waiting on provider_callbacks (received_at) where processed_at is null;
