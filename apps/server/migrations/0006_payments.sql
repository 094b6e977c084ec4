-- The 26 characters that people see of an id (TypeID: base32 of the UUID), so that a part of it can be searched for.
create function typeid_suffix(id uuid) returns text language sql immutable strict parallel safe as $$
  select string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits from 1 + 5 * i for 5)::int + 1, 1), '' order by i)
  from (select b'00' || ('x' || replace(id::text, '-', ''))::bit(128) as bits) as source, generate_series(0, 25) as i
$$;

create table payments (
  merchant_id          uuid        not null,
  id                   uuid        not null,
  application_id       uuid        not null,
  amount_minor         bigint      not null check (amount_minor > 0),
  currency             text        not null check (currency ~ '^[A-Z]{3}$'),
  status               text        not null default 'pending' check (status in ('pending', 'completed', 'failed', 'refunded')),
  status_reason        text,
  method               text        check (method in ('ecocash', 'innbucks', 'onemoney', 'visa')),
  provider_reference   text,
  description          text        not null,
  reference            text,
  customer_email       text,
  customer_name        text,
  customer_phone       text,
  success_url          text,
  cancel_url           text,
  metadata             jsonb       not null default '{}',
  refunded_minor       bigint      not null default 0 check (refunded_minor >= 0),
  refund_pending_minor bigint      not null default 0 check (refund_pending_minor >= 0),
  last_event           integer     not null default 0,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  completed_at         timestamptz,
  expires_at           timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, application_id) references applications (merchant_id, id),
  -- The sum of refunds, paid and under way, never exceeds the amount, under any race.
  check (refunded_minor + refund_pending_minor <= amount_minor),
  check (refunded_minor + refund_pending_minor = 0 or status in ('completed', 'refunded')),
  check (status <> 'refunded' or refunded_minor = amount_minor),
  check ((status in ('completed', 'refunded')) = (completed_at is not null))
);

-- The machine of a payment, in the database as well as in the code: a test compares the two.
create function payments_guard_moves() returns trigger language plpgsql as $$
begin
  if (new.merchant_id, new.id, new.application_id, new.amount_minor, new.currency, new.created_at)
     is distinct from (old.merchant_id, old.id, old.application_id, old.amount_minor, old.currency, old.created_at) then
    raise exception 'the facts of payment % do not change', old.id using errcode = 'restrict_violation';
  end if;
  if new.status <> old.status and (old.status, new.status) not in (
    ('pending', 'completed'), ('pending', 'failed'), ('failed', 'completed'), ('completed', 'refunded')
  ) then
    raise exception 'payment % cannot move from % to %', old.id, old.status, new.status using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger payments_moves before update on payments for each row execute function payments_guard_moves();
create trigger payments_kept before delete on payments for each row execute function refuse_change();
create trigger payments_no_truncate before truncate on payments for each statement execute function refuse_change();

create table payment_attempts (
  merchant_id        uuid        not null,
  id                 uuid        not null,
  payment_id         uuid        not null,
  provider           text        not null,
  method             text        not null,
  msisdn             text        not null,
  amount_minor       bigint      not null check (amount_minor > 0),
  currency           text        not null,
  status             text        not null check (status in ('sending', 'pending', 'unknown', 'held', 'completed', 'failed')),
  failure_reason     text,
  provider_status    text,
  provider_reference text,
  provider_state     jsonb,
  checks             integer     not null default 0,
  not_found_checks   integer     not null default 0,
  next_check_at      timestamptz,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_id) references payments (merchant_id, id),
  check ((status = 'failed') = (failure_reason is not null)),
  check (status not in ('completed', 'failed') or next_check_at is null)
);

-- A payer has one charge under way at a time: a second one is not sent while the first may still succeed. A success that does not
-- fit its payment is held, and several may be; a new try beside a held one is refused behind the payment's lock.
create unique index payment_attempts_one_open on payment_attempts (merchant_id, payment_id)
  where status in ('sending', 'pending', 'unknown');
create index payment_attempts_of_payment on payment_attempts (merchant_id, payment_id, id);
create index payment_attempts_due on payment_attempts (next_check_at) where next_check_at is not null;

-- What was asked of a provider is the only trace of money that may have moved.
create trigger payment_attempts_kept before delete on payment_attempts for each row execute function refuse_change();
create trigger payment_attempts_no_truncate before truncate on payment_attempts
  for each statement execute function refuse_change();

create table refunds (
  merchant_id        uuid        not null,
  id                 uuid        not null,
  payment_id         uuid        not null,
  attempt_id         uuid        not null,
  amount_minor       bigint      not null check (amount_minor > 0),
  currency           text        not null,
  status             text        not null check (status in ('sending', 'pending', 'unknown', 'completed', 'failed')),
  failure_reason     text,
  provider_status    text,
  provider_reference text,
  provider_state     jsonb,
  checks             integer     not null default 0,
  not_found_checks   integer     not null default 0,
  next_check_at      timestamptz,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_id) references payments (merchant_id, id),
  foreign key (merchant_id, attempt_id) references payment_attempts (merchant_id, id),
  check (status not in ('completed', 'failed') or next_check_at is null)
);

create unique index refunds_one_open on refunds (merchant_id, payment_id)
  where status in ('sending', 'pending', 'unknown');
create index refunds_due on refunds (next_check_at) where next_check_at is not null;
create trigger refunds_kept before delete on refunds for each row execute function refuse_change();
create trigger refunds_no_truncate before truncate on refunds for each statement execute function refuse_change();

-- The answer to a keyed request, kept in the commit of what the request did.
create table idempotency_keys (
  merchant_id    uuid        not null,
  application_id uuid        not null,
  key            text        not null check (length(key) between 1 and 255),
  request_hash   bytea       not null check (length(request_hash) = 32),
  status         integer     not null,
  answer         text        not null,
  created_at     timestamptz not null,
  primary key (merchant_id, application_id, key)
);
create index idempotency_keys_age on idempotency_keys using brin (created_at);
