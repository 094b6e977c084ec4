-- How long an Idempotency-Key stays with what it has created: 30 days at least. The creation time of a payment comes from a process, whose
-- clock may be 30 seconds behind the database's.
create function is_key_expired(created_at timestamptz) returns boolean language sql stable parallel safe
  return created_at <= muripo_now() - interval '30 days 30 seconds';

-- Invariant: a payment and a refund keep the Idempotency-Key that created them until it expires.
create function refuse_key_change() returns trigger language plpgsql as $$
begin
  raise exception 'the idempotency key of % % does not change', tg_table_name, old.id using errcode = 'restrict_violation';
end $$;

-- A payment is paid by one attempt and refunded by refunds. Its id is a UUIDv7 of its creation time, so that days are ranges of ids.
--
-- A payment whose last attempt was refused stays pending: the payer may try again. It takes no more attempts once it has a termination_reason,
-- because it was cancelled or has expired, and fails for that reason as soon as no attempt may still succeed.
--
-- The fee is fixed when the payment is captured: gross is the amount, net the amount less the fee. Later prices change neither, and a refund
-- keeps the fee. version rises with each change, so that a change that was decided from an earlier reading is refused.
--
-- capture_mode manual: the payer authorises the payment, and an instruction captures or voids it later. Without the mode, the charge is one step,
-- and the columns of a capture are null. captured_minor: the captured amount; fee, refunds and revenue are of this amount. capture_before: the
-- time at which an authorisation without an instruction is voided.
--
-- The checksums are of the application with the Idempotency-Key of the request that created the payment, and of its body. They have the type
-- uuid because their length is 16 bytes. The response to a create depends on the request and the payment's id alone, and is not stored.
--
-- Indexes contain generated columns, whose names begin with index_, in place of columns that change more often: an update writes an entry in
-- each index of its table unless the values of all indexed columns stay. index_method is empty while the payer may still choose another method.
create table payments (
  account_id           uuid        not null,
  id                   uuid        not null,
  application_id       uuid        not null,
  amount_minor         bigint      not null check (amount_minor > 0),
  currency             text        not null check (currency ~ '^[A-Z]{3}$'),
  fee_minor            bigint,
  status               text        not null default 'pending' check (status in ('pending', 'authorized', 'completed', 'failed', 'refunded')),
  status_reason        text        default 'awaiting_payer',
  termination_reason       text        check (termination_reason in ('cancelled', 'expired')),
  termination_since        timestamptz,
  method               text        check (method in ('ecocash', 'innbucks', 'onemoney', 'visa')),
  provider_reference   text,
  description          text        not null,
  reference            text,
  customer_id          uuid,
  customer_email       text,
  customer_name        text,
  customer_phone       text,
  locale               text        check (locale in ('en', 'sn', 'nd')),
  success_url          text,
  cancel_url           text,
  metadata             jsonb       not null default '{}',
  capture_mode         text,
  captured_minor       bigint,
  capture_before       timestamptz,
  idempotency_checksum uuid,
  request_checksum     uuid,
  refunded_minor       bigint      not null default 0 check (refunded_minor >= 0),
  refund_pending_minor bigint      not null default 0 check (refund_pending_minor >= 0),
  last_event           integer     not null default 0,
  version              integer     not null default 0,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  completed_at         timestamptz,
  expires_at           timestamptz not null,
  index_method         text        not null generated always as (case status when 'pending' then '' else coalesce(method, '') end) stored,
  primary key (account_id, id),
  -- Invariant: the sum of refunds, paid and in progress, never exceeds the captured amount, under any race.
  constraint payments_refunds_within_amount
    check (refunded_minor + refund_pending_minor <= coalesce(captured_minor, amount_minor)),
  constraint payments_refunds_when_paid check (refunded_minor + refund_pending_minor = 0 or status in ('completed', 'refunded')),
  constraint payments_refunded_in_full
    check (status <> 'refunded' or refunded_minor = coalesce(captured_minor, amount_minor)),
  constraint payments_completed_at check ((status in ('completed', 'refunded')) = (completed_at is not null)),
  -- Written out, because PostgreSQL would expand id_time for each statement that inserts payments.
  constraint payments_created_with_id
    check (created_at = to_timestamp(('x' || encode(substring(uuid_send(id) for 6), 'hex'))::bit(48)::bigint / 1000::float8)),
  constraint payments_termination_since check ((termination_reason is null) = (termination_since is null)),
  constraint payments_fail_by_termination check (status <> 'failed' or termination_reason is not null),
  constraint payments_fee_within_amount check (fee_minor between 0 and amount_minor),
  constraint payments_fee_when_paid check ((fee_minor is not null) = (completed_at is not null)),
  -- Invariant: only a payment with the mode is authorised, until a known time, and its captured amount is within the authorised one.
  constraint payments_capture_mode check (capture_mode = 'manual'),
  constraint payments_authorized check (status <> 'authorized' or (capture_mode is not null and capture_before is not null)),
  constraint payments_captured_when_paid
    check ((captured_minor is not null) = (capture_mode is not null and completed_at is not null)),
  constraint payments_captured_within_amount check (captured_minor between 1 and amount_minor),
  constraint payments_keyed check ((idempotency_checksum is null) = (request_checksum is null))
) with (fillfactor = 90);
create trigger payments_no_delete before delete on payments for each row execute function refuse_change();
create trigger payments_no_truncate before truncate on payments for each statement execute function refuse_change();

-- Invariant: an Idempotency-Key of an application creates one payment.
create unique index payments_by_key on payments (account_id, idempotency_checksum) where idempotency_checksum is not null;
create trigger payments_keep_key before update of idempotency_checksum, request_checksum on payments for each row
  when (num_nonnulls(new.idempotency_checksum, new.request_checksum) > 0 or not is_key_expired(old.created_at))
  execute function refuse_key_change();
-- Lists of any status, method and application, alone or together, newest first: one range of this index for each kind of payment.
create index payments_by_kind on payments (account_id, application_id, status, index_method, id);
-- Lists of any range of amounts, newest first: the range of one day after the other.
create index payments_by_amount on payments (account_id, id_day(id), amount_minor, id) include (application_id, status);
-- The payment of a shop's own reference, newest first. Only a payment with a reference pays for this index.
create index payments_by_reference on payments (account_id, application_id, reference, id) where reference is not null;
-- The payments that expire next. A payment leaves the index when it is paid, cancelled or expired.
create index payments_to_expire on payments (expires_at) where status = 'pending' and termination_reason is null;

-- The last eight letters of an id, five bits each.
create function id_ending(id uuid) returns bigint language sql immutable strict parallel safe
  return ('x' || right(encode(uuid_send(id), 'hex'), 10))::bit(40)::bigint;
create index payments_by_ending on payments (account_id, id_ending(id));

-- Invariant: a payment's merchant, application, amount, currency, creation time and capture mode never change, nor a captured amount, and its
-- status moves along these pairs only. A test compares the pairs with machine.ts.
create function payments_guard_moves() returns trigger language plpgsql as $$
begin
  if (new.account_id, new.id, new.application_id, new.amount_minor, new.currency, new.created_at, new.capture_mode)
     is distinct from (old.account_id, old.id, old.application_id, old.amount_minor, old.currency, old.created_at, old.capture_mode)
     or (old.captured_minor is not null and new.captured_minor is distinct from old.captured_minor) then
    raise exception 'the facts of payment % do not change', old.id using errcode = 'restrict_violation';
  end if;
  if new.status <> old.status and (old.status, new.status) not in (
    ('pending', 'authorized'), ('pending', 'completed'), ('pending', 'failed'), ('authorized', 'completed'), ('authorized', 'failed'),
    ('failed', 'completed'), ('completed', 'refunded')
  ) then
    raise exception 'payment % cannot move from % to %', old.id, old.status, new.status using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payments_guard_moves before update on payments for each row execute function payments_guard_moves();

-- Invariant: a payment's status never changes without its event. One commit writes the two, and last_event is the event's number.
create function payments_require_event() returns trigger language plpgsql as $$
begin
  raise exception 'payment % cannot become % without an event', old.id, new.status using errcode = 'restrict_violation';
end $$;
create trigger payments_require_event before update on payments for each row
  when ((new.status <> old.status and new.last_event <> old.last_event + 1) or new.last_event not in (old.last_event, old.last_event + 1))
  execute function payments_require_event();

-- Invariant: the fee of a captured payment never changes.
create function payments_keep_fee() returns trigger language plpgsql as $$
begin
  raise exception 'the fee of payment % does not change', old.id using errcode = 'restrict_violation';
end $$;
create trigger payments_keep_fee before update on payments for each row
  when (old.fee_minor is not null and new.fee_minor is distinct from old.fee_minor)
  execute function payments_keep_fee();

-- Invariant: a payment fails only when no attempt may still bring money. A held attempt is open until an operator has decided, and an authorised
-- one may be captured.
create function payments_guard_failing() returns trigger language plpgsql as $$
begin
  if exists (
    select from payment_attempts
    where account_id = new.account_id and payment_id = new.id and status in ('sending', 'pending', 'unknown', 'held', 'authorized')
  ) then
    raise exception 'payment % has an open attempt and cannot fail', new.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payments_guard_failing before update on payments for each row
  when (old.status in ('pending', 'authorized') and new.status = 'failed') execute function payments_guard_failing();

-- A customer of a merchant is an email or, without one, a phone number that its payments named. The id is derived from the merchant and that
-- name, so that payments that name it at the same time make one customer without a look-up. Two customers are never merged: a phone may be
-- shared, and an id stays. A later payment never changes the customer of an earlier one.
create table customers (
  account_id  uuid not null,
  id          uuid not null,
  -- In lower case and in composed form.
  email       text check (length(email) between 3 and 254),
  -- In E.164.
  phone       text check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  name        text,
  -- The id of the payment that first named the customer: a UUIDv7, which orders the list by time.
  first_seen  uuid not null,
  primary key (account_id, id),
  constraint customers_named check (email is not null or phone is not null)
) with (fillfactor = 90);
create unique index customers_in_order on customers (account_id, first_seen);
create index customers_by_phone on customers (account_id, phone, first_seen) where phone is not null;

-- One call to a provider to charge the payer. The row is committed before the call is sent; it is the only trace of money that may have
-- moved.
--
-- held: a success that does not fit its payment waits for an operator. duplicate: the attempt was paid although its payment was paid already;
-- the money is the payer's and is refunded. moved_minor: the amount that an operator found the provider to have moved for a failed attempt.
-- outcome_failures: how often the outcome of the call could not be recorded. After a few failures the row leaves the schedule of look-ups
-- (next_check_at is null while the attempt is open), which puts it before an operator. msisdn: null for a provider that needs no phone number.
-- next_action: the payer's step that the provider named last, such as a code to enter in the wallet's app.
-- authorized: the provider has reserved the amount, and moves it on instruction only; next_check_at is the end of the authorisation.
-- authorized_at: the time of the reservation, which stays when the authorisation is captured, voided or released.
-- index_status: the three statuses of an attempt in progress as one. index_due_at: never later than next_check_at; a young attempt, which is
-- looked up often, keeps its creation time.
create table payment_attempts (
  account_id         uuid        not null,
  id                 uuid        not null,
  payment_id         uuid        not null,
  provider           text        not null,
  method             text        not null,
  msisdn             text,
  amount_minor       bigint      not null check (amount_minor > 0),
  currency           text        not null,
  status             text        not null check (
    status in ('sending', 'pending', 'unknown', 'held', 'authorized', 'completed', 'failed', 'duplicate')),
  failure_reason     text,
  held_because       text,
  moved_minor        bigint      check (moved_minor > 0),
  provider_status    text,
  provider_reference text,
  provider_state     jsonb,
  next_action        jsonb,
  checks             integer     not null default 0,
  not_found_checks   integer     not null default 0,
  outcome_failures   integer     not null default 0 check (outcome_failures >= 0),
  next_check_at      timestamptz,
  -- A charge that its provider has provably not processed, such as one that was refused for the number of calls, waits for its time and is
  -- sent again under the same key. Until then nothing is looked up.
  is_deferred        boolean     not null default false,
  watch_until        timestamptz,
  next_watch_at      timestamptz,
  -- Rises with each change behind the payment's lock, as the payment's own version does.
  version            integer     not null default 0,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  authorized_at      timestamptz,
  index_status       text        not null
    generated always as (case when status in ('sending', 'pending', 'unknown') then 'underway' else status end) stored,
  index_due_at       timestamptz
    generated always as (case when next_check_at - created_at between interval '0' and interval '90 seconds' then created_at else next_check_at end) stored,
  primary key (account_id, id),
  constraint payment_attempts_of_payment unique (account_id, payment_id, id),
  constraint payment_attempts_failed_for_a_reason check ((status = 'failed') = (failure_reason is not null)),
  constraint payment_attempts_final_is_over check (status not in ('completed', 'failed') or next_check_at is null),
  constraint payment_attempts_duplicate_is_over check (status <> 'duplicate' or next_check_at is null),
  constraint payment_attempts_moved_by_failed check (moved_minor is null or status in ('failed', 'held')),
  -- Invariant: a charge that the provider has ever reported on is never counted as unknown to it.
  constraint payment_attempts_known_stays_known check (not_found_checks = 0 or (provider_state is null and provider_reference is null)),
  -- Invariant: every failed charge has a watch, and only a failed charge is watched. A provider may pay a call later that it refused or did
  -- not know, so a failed call is looked up again until the provider's answer is final.
  constraint payment_attempts_failed_is_watched check (status <> 'failed' or watch_until is not null),
  constraint payment_attempts_only_failed_is_watched
    check (next_watch_at is null or (status = 'failed' and watch_until is not null)),
  constraint payment_attempts_deferred_is_unsent check (not is_deferred or (status = 'sending' and next_check_at is not null))
) with (fillfactor = 80);
create trigger payment_attempts_no_delete before delete on payment_attempts for each row execute function refuse_change();
create trigger payment_attempts_no_truncate before truncate on payment_attempts
  for each statement execute function refuse_change();

-- Invariant: a payer has one charge in progress at a time. The next one is not sent while the first may still succeed. A payment may have
-- several held attempts; a new attempt beside a held one is refused under the payment's lock.
create unique index payment_attempts_one_open on payment_attempts (account_id, payment_id)
  where index_status = 'underway';
-- Invariant: a payment is paid by one attempt.
create unique index payment_attempts_one_completed on payment_attempts (account_id, payment_id) where index_status = 'completed';
create index payment_attempts_due on payment_attempts (index_due_at) where index_due_at is not null;
create index payment_attempts_deferred on payment_attempts (index_due_at) where is_deferred;
create index payment_attempts_watched on payment_attempts (next_watch_at) where next_watch_at is not null;
-- The attempts that only an operator can decide: money that does not fit, and outcomes that stayed unknown for a day.
create index payment_attempts_in_review on payment_attempts (created_at)
  where index_status = 'held' or (index_status = 'underway' and index_due_at is null);
-- The prompts that a phone number has not answered, over all merchants: open ones and expired ones.
create index payment_attempts_unanswered on payment_attempts (msisdn, created_at)
  where msisdn is not null and (index_status = 'underway' or failure_reason = 'expired');

-- Invariant: an attempt begins on a payment that can be paid, of an application whose merchant may take money, and asks for the whole payment
-- in its currency. No payment and no attempt is ever removed or moved, so that a foreign key would only check this again.
create function payment_attempts_guard_opening() returns trigger language plpgsql as $$
declare
  allowed boolean;
begin
  select a.merchant_active and a.operator_stop_reason is null into allowed
  from payments p join applications a on a.account_id = p.account_id and a.id = p.application_id
  where p.account_id = new.account_id and p.id = new.payment_id and p.status = 'pending' and p.termination_reason is null
    and (p.amount_minor, p.currency) = (new.amount_minor, new.currency)
  for share of p;
  if allowed is null then
    raise exception 'payment % takes no attempt', new.payment_id using errcode = 'restrict_violation';
  end if;
  if not allowed then
    raise exception 'the merchant of payment % is stopped', new.payment_id
      using errcode = 'restrict_violation', constraint = 'payment_attempts_merchant_active';
  end if;
  return new;
end $$;
create trigger payment_attempts_guard_opening before insert on payment_attempts
  for each row execute function payment_attempts_guard_opening();

-- Invariant: the provider, phone number and amount of an attempt never change, and a booked attempt keeps its status.
create function payment_attempts_keep_facts() returns trigger language plpgsql as $$
begin
  raise exception 'the facts of attempt % do not change', old.id using errcode = 'restrict_violation';
end $$;
create trigger payment_attempts_keep_facts before update on payment_attempts for each row
  when ((old.account_id, old.id, old.payment_id, old.provider, old.method, old.amount_minor, old.currency)
    is distinct from (new.account_id, new.id, new.payment_id, new.provider, new.method, new.amount_minor, new.currency)
    -- The erasure of a customer blanks the number of an attempt that no look-up needs.
    or (old.msisdn is distinct from new.msisdn and (new.msisdn is not null
      or new.status not in ('completed', 'failed', 'duplicate') or num_nonnulls(new.next_check_at, new.next_watch_at) > 0))
    or (old.status in ('completed', 'duplicate') and new.status <> old.status))
  execute function payment_attempts_keep_facts();

-- A refund of a charge of the same payment. Several refunds of one payment may be in progress at once; the check on the payment limits their
-- sum.
--
-- awaiting_operator: the provider has no refund call, so an operator sends the refund. origin duplicate: the gateway itself refunds a duplicate
-- charge; that money is the payer's and never the merchant's. paid_late_at: the provider paid the refund after it had failed and its money
-- had gone another way; it waits for an operator until settled_at. requested_by: the session or the application key of a refund without an
-- idempotency key and without the amount refunded so far; null where one of these protected the request, or where the gateway itself refunds.
-- The checksums are those of payments. response: the first response to the request with an Idempotency-Key; a refund commits before its
-- response is known, while its provider is called.
create table refunds (
  account_id         uuid        not null,
  id                 uuid        not null,
  payment_id         uuid        not null,
  attempt_id         uuid        not null,
  application_id     uuid        not null,
  origin             text        not null default 'merchant' check (origin in ('merchant', 'duplicate')),
  requested_by       uuid,
  amount_minor       bigint      not null check (amount_minor > 0),
  currency           text        not null,
  reason             text,
  status             text        not null check (
    status in ('sending', 'pending', 'unknown', 'awaiting_operator', 'completed', 'failed')),
  failure_reason     text,
  provider_status    text,
  provider_reference text,
  provider_state     jsonb,
  checks             integer     not null default 0,
  not_found_checks   integer     not null default 0,
  outcome_failures   integer     not null default 0 check (outcome_failures >= 0),
  next_check_at      timestamptz,
  is_deferred        boolean     not null default false,
  watch_until        timestamptz,
  next_watch_at      timestamptz,
  paid_late_at       timestamptz,
  settled_at         timestamptz,
  idempotency_checksum uuid,
  request_checksum   uuid,
  response           text,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, payment_id) references payments (account_id, id),
  constraint refunds_of_its_payment foreign key (account_id, payment_id, attempt_id)
    references payment_attempts (account_id, payment_id, id),
  constraint refunds_final_is_over check (status not in ('completed', 'failed') or next_check_at is null),
  constraint refunds_of_operator check (status <> 'awaiting_operator' or next_check_at is null),
  constraint refunds_duplicate_stays check (origin <> 'duplicate' or status <> 'failed'),
  constraint refunds_paid_late check (paid_late_at is null or status = 'failed'),
  constraint refunds_settled check (settled_at is null or paid_late_at is not null),
  -- Invariant: a refund that the provider has ever reported on is never counted as unknown to it.
  constraint refunds_known_stays_known check (not_found_checks = 0 or (provider_state is null and provider_reference is null)),
  constraint refunds_only_failed_is_watched
    check (next_watch_at is null or (status = 'failed' and watch_until is not null and paid_late_at is null)),
  constraint refunds_keyed check ((idempotency_checksum is null) = (request_checksum is null)),
  constraint refunds_deferred_is_unsent check (not is_deferred or (status = 'sending' and next_check_at is not null))
);
create trigger refunds_no_delete before delete on refunds for each row execute function refuse_change();
create trigger refunds_no_truncate before truncate on refunds for each statement execute function refuse_change();

create index refunds_by_id on refunds (id);
-- Invariant: an Idempotency-Key of an application opens one refund.
create unique index refunds_by_key on refunds (account_id, idempotency_checksum) where idempotency_checksum is not null;
create trigger refunds_keep_key before update of idempotency_checksum, request_checksum on refunds for each row
  when (num_nonnulls(new.idempotency_checksum, new.request_checksum) > 0 or not is_key_expired(old.created_at))
  execute function refuse_key_change();
create index refunds_of_payment on refunds (account_id, payment_id, id);
create index refunds_of_application on refunds (account_id, application_id, id);
create index refunds_due on refunds (next_check_at) where next_check_at is not null;
create index refunds_watched on refunds (next_watch_at) where next_watch_at is not null;
-- The refunds that wait for an operator: manual ones, those that are no longer looked up, and late payments that are not settled.
create index refunds_for_operator on refunds (created_at)
  where status = 'awaiting_operator'
    or (status in ('sending', 'pending', 'unknown') and next_check_at is null)
    or (paid_late_at is not null and settled_at is null);
-- Invariant: a duplicate charge is refunded once.
create unique index refunds_one_duplicate on refunds (account_id, attempt_id) where origin = 'duplicate';

-- Invariant: the charge, amount and origin of a refund never change, and a completed refund stays completed.
create function refunds_keep_facts() returns trigger language plpgsql as $$
begin
  raise exception 'the facts of refund % do not change', old.id using errcode = 'restrict_violation';
end $$;
create trigger refunds_keep_facts before update on refunds for each row
  when ((old.account_id, old.id, old.payment_id, old.attempt_id, old.amount_minor, old.currency, old.origin)
    is distinct from (new.account_id, new.id, new.payment_id, new.attempt_id, new.amount_minor, new.currency, new.origin)
    or (old.status = 'completed' and new.status <> 'completed'))
  execute function refunds_keep_facts();

-- Invariant: a refund is in the currency of its charge.
create function refunds_guard_currency() returns trigger language plpgsql as $$
begin
  if exists (
    select from payment_attempts
    where account_id = new.account_id and id = new.attempt_id and currency <> new.currency
  ) then
    raise exception 'the charge of refund % is in another currency', new.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger refunds_guard_currency before insert on refunds for each row execute function refunds_guard_currency();

-- Invariant: the same request within ten minutes is one refund. The payment's lock orders the requests, whichever process inserts.
create function refunds_refuse_repetition() returns trigger language plpgsql as $$
begin
  perform from payments where account_id = new.account_id and id = new.payment_id for no key update;
  if exists (
    select from refunds
    where account_id = new.account_id and payment_id = new.payment_id and requested_by = new.requested_by
      and (amount_minor, currency) = (new.amount_minor, new.currency) and status <> 'failed'
      and created_at > new.created_at - interval '10 minutes'
  ) then
    raise exception 'the same refund of payment % was requested less than ten minutes ago', new.payment_id
      using errcode = 'unique_violation', constraint = 'refunds_no_repetition';
  end if;
  return new;
end $$;
create trigger refunds_no_repetition before insert on refunds
  for each row when (new.requested_by is not null) execute function refunds_refuse_repetition();

-- Completed payments whose receipt is not queued for mailing yet. The statement that completes a payment with the payer's email adds its row,
-- and the commit that queues the email deletes the row: one email for each completion, after a crash and in several processes too. A row has no
-- foreign key, because the statement that adds the row has locked the payment.
create table receipts_to_mail (
  account_id uuid not null,
  payment_id uuid not null,
  primary key (account_id, payment_id)
);

-- The moves of an attempt and of a refund. A test compares them with machine.ts. An allowed move calls no function.
create function refuse_move() returns trigger language plpgsql as $$
begin
  raise exception '% % cannot move from % to %', tg_table_name, old.id, old.status, new.status using errcode = 'restrict_violation';
end $$;
create trigger payment_attempts_guard_moves before update on payment_attempts for each row
  when (new.status <> old.status and old.status || ' ' || new.status <> all (array[
    'sending pending', 'sending unknown', 'sending held', 'sending completed', 'sending failed', 'sending duplicate', 'sending authorized',
    'pending held', 'pending completed', 'pending failed', 'pending duplicate', 'pending authorized', 'unknown pending', 'unknown held',
    'unknown completed', 'unknown failed', 'unknown duplicate', 'unknown authorized', 'held completed', 'held failed', 'held duplicate',
    'authorized pending', 'authorized held', 'authorized failed', 'failed held', 'failed completed', 'failed duplicate']))
  execute function refuse_move();
create trigger refunds_guard_moves before update on refunds for each row
  when (new.status <> old.status and old.status || ' ' || new.status <> all (array[
    'sending pending', 'sending unknown', 'sending awaiting_operator', 'sending completed', 'sending failed', 'pending unknown',
    'pending awaiting_operator', 'pending completed', 'pending failed', 'unknown pending', 'unknown awaiting_operator',
    'unknown completed', 'unknown failed', 'awaiting_operator unknown', 'awaiting_operator completed',
    'awaiting_operator failed', 'failed completed']))
  execute function refuse_move();

-- Invariant: the state and the reference that a provider gave of a call are never erased.
create function keep_provider_reply() returns trigger language plpgsql as $$
begin
  raise exception 'the provider state and reference of % are not erased', old.id using errcode = 'restrict_violation';
end $$;
create trigger payment_attempts_keep_reply before update on payment_attempts for each row
  when ((old.provider_state is not null and new.provider_state is null)
    or (old.provider_reference is not null and new.provider_reference is null))
  execute function keep_provider_reply();
create trigger refunds_keep_reply before update on refunds for each row
  when ((old.provider_state is not null and new.provider_state is null)
    or (old.provider_reference is not null and new.provider_reference is null))
  execute function keep_provider_reply();

-- Invariant: a late payment of a refund is erased only when the refund completes, and its resolution by an operator never changes.
create function refunds_keep_late_payment() returns trigger language plpgsql as $$
begin
  raise exception 'the late payment of refund % and its resolution do not change', old.id using errcode = 'restrict_violation';
end $$;
create trigger refunds_keep_late_payment before update on refunds for each row
  when ((old.paid_late_at is not null and new.paid_late_at is null and new.status <> 'completed')
    or (old.settled_at is not null and new.settled_at is distinct from old.settled_at))
  execute function refunds_keep_late_payment();

-- Invariant: the state that a provider gave of a call never changes once the money is booked. The gateway looks the call up with it and sends a
-- refund of the charge with it; a later reply may be older.
create function keep_final_provider_state() returns trigger language plpgsql as $$
begin
  raise exception 'the provider state of % is final', old.id using errcode = 'restrict_violation';
end $$;
create trigger payment_attempts_keep_final_state before update on payment_attempts for each row
  when (old.status in ('completed', 'duplicate') and old.provider_state is distinct from new.provider_state)
  execute function keep_final_provider_state();
create trigger refunds_keep_final_state before update on refunds for each row
  when (old.status = 'completed' and old.provider_state is distinct from new.provider_state)
  execute function keep_final_provider_state();

-- A provider's answer that contradicts the recorded and booked state, or a call that got no answer in time. An operator resolves each row.
--
-- reversed: the provider reversed a paid charge; amount_minor is the amount, null when it is unknown. contradicted: it reports a
-- failure of a charge or a refund that is done. still_pending: it still has a call that failed here, and has not decided in time.
-- unanswered: it reported a change, or a failed call is watched, and it could not be asked in time.
create table payment_anomalies (
  account_id      uuid        not null,
  id              uuid        not null,
  payment_id      uuid        not null,
  attempt_id      uuid        not null,
  refund_id       uuid,
  kind            text        not null check (kind in ('reversed', 'contradicted', 'still_pending', 'unanswered')),
  amount_minor    bigint      check (amount_minor > 0),
  currency        text        not null,
  provider_status text        not null,
  opened_at       timestamptz not null,
  resolved_at     timestamptz,
  resolution      text        check (resolution in ('booked', 'nothing_moved')),
  booked_minor    bigint      check (booked_minor > 0),
  primary key (account_id, id),
  foreign key (account_id, payment_id) references payments (account_id, id),
  foreign key (account_id, payment_id, attempt_id) references payment_attempts (account_id, payment_id, id),
  foreign key (account_id, refund_id) references refunds (account_id, id),
  constraint payment_anomalies_amount_of_reversal check (amount_minor is null or kind = 'reversed'),
  constraint payment_anomalies_resolved_with_resolution check ((resolved_at is null) = (resolution is null)),
  constraint payment_anomalies_booked_amount check ((booked_minor is not null) = coalesce(resolution = 'booked', false))
);
create trigger payment_anomalies_no_delete before delete on payment_anomalies for each row execute function refuse_change();
create trigger payment_anomalies_no_truncate before truncate on payment_anomalies for each statement execute function refuse_change();

-- Invariant: the same anomaly of the same charge or refund is one open row, however often it is seen.
create unique index payment_anomalies_open on payment_anomalies (account_id, attempt_id, coalesce(refund_id, attempt_id), kind)
  where resolved_at is null;
create index payment_anomalies_waiting on payment_anomalies (opened_at) where resolved_at is null;
create index payment_anomalies_of_payment on payment_anomalies (account_id, payment_id);

-- Invariant: an anomaly and its resolution never change, but for the amount of an open reversal: the provider may take back more of a charge
-- while the review waits. That amount only grows. A null amount already stands for the whole charge.
create function payment_anomalies_keep_facts() returns trigger language plpgsql as $$
begin
  raise exception 'the anomaly of payment % and its resolution do not change', old.payment_id using errcode = 'restrict_violation';
end $$;
create trigger payment_anomalies_keep_facts before update on payment_anomalies for each row
  when (old.resolved_at is not null
    or (old.account_id, old.id, old.payment_id, old.attempt_id, old.refund_id, old.kind, old.currency, old.provider_status, old.opened_at)
      is distinct from (new.account_id, new.id, new.payment_id, new.attempt_id, new.refund_id, new.kind, new.currency, new.provider_status, new.opened_at)
    or (old.amount_minor is distinct from new.amount_minor
      and (new.resolved_at is not null or coalesce(new.amount_minor <= old.amount_minor, true))))
  execute function payment_anomalies_keep_facts();

-- Invariant: refunds, completed and in progress, and reversals, open and booked, never exceed the charge. An amount that the provider took
-- back is not refunded too. A reversal waits for the lock of its payment, as a refund does. An operator may book a reversal on a row of any
-- kind; an open row counts when it is about money that was taken back.
create function refunds_guard_reversed() returns trigger language plpgsql as $$
declare
  charged bigint;
  taken_back bigint;
begin
  select coalesce(p.captured_minor, a.amount_minor) into charged
    from payment_attempts a join payments p on p.account_id = a.account_id and p.id = a.payment_id
    where a.account_id = new.account_id and a.id = new.attempt_id;
  select coalesce(sum(case
      when resolved_at is not null then coalesce(booked_minor, 0)
      when kind in ('reversed', 'contradicted') then coalesce(amount_minor, charged)
      else 0 end), 0)
    into taken_back
    from payment_anomalies
    where account_id = new.account_id and payment_id = new.payment_id and attempt_id = new.attempt_id and refund_id is null;
  if taken_back > 0 and taken_back + new.amount_minor + (
    select coalesce(sum(amount_minor), 0) from refunds
    where account_id = new.account_id and payment_id = new.payment_id and attempt_id = new.attempt_id and status <> 'failed'
  ) > charged then
    raise exception 'the provider has taken the charge % back', new.attempt_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger refunds_not_reversed before insert on refunds
  for each row when (new.origin = 'merchant') execute function refunds_guard_reversed();

-- The one instruction about an authorisation: to capture an amount of it, or to void it. The merchant gives it, or the gateway at the end of
-- the authorisation. It is committed before the provider is called, and every look-up of the attempt carries it out until the provider
-- confirms it.
--
-- Invariant: an authorisation has one instruction. The primary key decides between a capture, a void and the end of the authorisation.
--
-- The checksums are those of payments. response: the first response to the request with an Idempotency-Key.
create table capture_instructions (
  account_id           uuid        not null,
  payment_id           uuid        not null,
  attempt_id           uuid        not null,
  kind                 text        not null check (kind in ('capture', 'void')),
  amount_minor         bigint      check (amount_minor > 0),
  currency             text        not null,
  idempotency_checksum uuid,
  request_checksum     uuid,
  response             text,
  created_at           timestamptz not null,
  primary key (account_id, payment_id),
  constraint capture_instructions_of_attempt foreign key (account_id, payment_id, attempt_id)
    references payment_attempts (account_id, payment_id, id),
  constraint capture_instructions_amount check ((kind = 'capture') = (amount_minor is not null)),
  constraint capture_instructions_keyed check ((idempotency_checksum is null) = (request_checksum is null))
);
create trigger capture_instructions_no_delete before delete on capture_instructions for each row execute function refuse_change();
create trigger capture_instructions_no_truncate before truncate on capture_instructions
  for each statement execute function refuse_change();

-- Invariant: an Idempotency-Key of an application captures one payment.
create unique index capture_instructions_by_key on capture_instructions (account_id, idempotency_checksum)
  where idempotency_checksum is not null;
create function capture_instructions_keep_key() returns trigger language plpgsql as $$
begin
  raise exception 'the idempotency key of the capture of % does not change', old.payment_id using errcode = 'restrict_violation';
end $$;
create trigger capture_instructions_keep_key before update of idempotency_checksum, request_checksum on capture_instructions for each row
  when (num_nonnulls(new.idempotency_checksum, new.request_checksum) > 0 or not is_key_expired(old.created_at))
  execute function capture_instructions_keep_key();

-- Invariant: an instruction never changes.
create function capture_instructions_keep_facts() returns trigger language plpgsql as $$
begin
  raise exception 'the instruction about payment % does not change', old.payment_id using errcode = 'restrict_violation';
end $$;
create trigger capture_instructions_keep_facts before update on capture_instructions for each row
  when ((old.account_id, old.payment_id, old.attempt_id, old.kind, old.amount_minor, old.currency, old.created_at)
    is distinct from (new.account_id, new.payment_id, new.attempt_id, new.kind, new.amount_minor, new.currency, new.created_at)
    or (old.response is not null and new.response is distinct from old.response))
  execute function capture_instructions_keep_facts();

-- Invariant: an instruction is about an authorised payment, within its amount and in its currency.
create function capture_instructions_guard() returns trigger language plpgsql as $$
begin
  perform from payments
    where account_id = new.account_id and id = new.payment_id and status = 'authorized'
      and currency = new.currency and coalesce(new.amount_minor, 0) <= amount_minor
    for no key update;
  if not found then
    raise exception 'payment % is not authorised for this amount', new.payment_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger capture_instructions_guard before insert on capture_instructions
  for each row execute function capture_instructions_guard();

-- Counts and sums of payments are stored, not computed. Statement triggers append each change of a payment as a delta, one row with the former
-- and the new state. They wait for no lock; the aggregator applies the deltas to the totals below and deletes them.
--
-- Invariant: at any moment, for every total, total + deltas = the same aggregate over payments.
--
-- seq rises along the life of a payment, because its writers hold its row. So the deltas of one merchant, applied in order up to any of them,
-- never bring a total below zero.
create table payment_stat_deltas (
  account_id            uuid        not null,
  seq                   bigint      generated always as identity,
  payment_id            uuid        not null,
  application_id        uuid        not null,
  amount_minor          bigint      not null,
  currency              text        not null,
  created_at            timestamptz not null,
  status                text        not null,
  method                text,
  refunded_minor        bigint      not null,
  completed_at          timestamptz,
  -- The former state. A new payment has none.
  former_status         text,
  former_method         text,
  former_refunded_minor bigint,
  former_completed_at   timestamptz,
  primary key (account_id, seq)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 10);

-- The contributions of the deltas to the totals: a former state has sign -1, a new one sign 1.
create view payment_stat_images as
select account_id, application_id, amount_minor, currency, created_at, image.*
from payment_stat_deltas
cross join lateral (values
  (-1, former_status, former_method, former_refunded_minor, former_completed_at),
  (1, status, method, refunded_minor, completed_at)
) as image (sign, status, method, refunded_minor, completed_at)
where image.status is not null;

-- Invariant: a payment is of an application of its account. The delta takes the id from the application, and is refused without one. A foreign
-- key would lock the row of the application for each payment.
create function payments_append_created_deltas() returns trigger language plpgsql as $$
begin
  insert into payment_stat_deltas (account_id, payment_id, application_id, amount_minor, currency, created_at,
    status, method, refunded_minor, completed_at)
  select p.account_id, p.id, a.id, p.amount_minor, p.currency, p.created_at, p.status, p.method, p.refunded_minor, p.completed_at
  from created p left join applications a on a.account_id = p.account_id and a.id = p.application_id;
  return null;
end $$;
create trigger payments_append_created_deltas after insert on payments
  referencing new table as created for each statement execute function payments_append_created_deltas();

-- A nested loop would compare each payment of a batch with each other one.
create function payments_append_changed_deltas() returns trigger language plpgsql set enable_hashjoin = on as $$
begin
  insert into payment_stat_deltas (account_id, payment_id, application_id, amount_minor, currency, created_at,
    status, method, refunded_minor, completed_at, former_status, former_method, former_refunded_minor, former_completed_at)
  select a.account_id, a.id, a.application_id, coalesce(a.captured_minor, a.amount_minor), a.currency, a.created_at,
    a.status, a.method, a.refunded_minor, a.completed_at, b.status, b.method, b.refunded_minor, b.completed_at
  from before b join after a on a.account_id = b.account_id and a.id = b.id;
  return null;
end $$;
create trigger payments_append_changed_deltas after update on payments
  referencing old table as before new table as after for each statement execute function payments_append_changed_deltas();

-- The number of payments of each kind: by the day (UTC) of creation, and in all, where starts_at is -infinity. Parts of a day are counted in
-- the payments.
create table payment_counts (
  account_id     uuid        not null,
  starts_at      timestamptz not null,
  application_id uuid        not null,
  status         text        not null,
  -- Empty while none is chosen.
  method         text        not null,
  payments       bigint      not null check (payments > 0),
  -- The index contains the count: a range of days adds up thousands of rows.
  primary key (account_id, starts_at, application_id, status, method) include (payments)
) with (fillfactor = 80);

-- The revenue of each quarter of an hour: in every time zone a day begins at one. completed counts the payments that are not fully refunded.
create table payment_revenue (
  account_id     uuid        not null,
  starts_at      timestamptz not null,
  currency       text        not null,
  gross_minor    bigint      not null check (gross_minor > 0),
  refunded_minor bigint      not null check (refunded_minor between 0 and gross_minor),
  completed      bigint      not null check (completed >= 0),
  primary key (account_id, starts_at, currency)
) with (fillfactor = 80);

-- Applies deltas to the totals in the caller's transaction, up to the limit. Returns for each merchant the number of deltas and the
-- changed payments, which the caller publishes: the latest 50, and whether there are more. One aggregator works at a time; another one returns
-- no row. The deltas are few and the totals many: the settings keep every join on the totals' keys. The columns are named, because a row type
-- would make the function fail as soon as a migration adds a column.
create function aggregate_payment_stats(most integer)
  returns table (account_id uuid, payment_ids uuid[], more boolean, deltas integer) language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
#variable_conflict use_column
declare
  changed jsonb;
  day_accounts uuid[];
  day_starts timestamptz[];
  day_applications uuid[];
  day_statuses text[];
  day_methods text[];
  day_payments bigint[];
  quarter_accounts uuid[];
  quarter_starts timestamptz[];
  quarter_currencies text[];
  quarter_gross bigint[];
  quarter_refunded bigint[];
  quarter_completed bigint[];
begin
  if not pg_try_advisory_xact_lock(7823486516400) then
    return;
  end if;
  with taken as (
    delete from payment_stat_deltas
    where ctid = any (array(select ctid from payment_stat_deltas order by account_id, seq limit most))
    returning *
  ), images as materialized (
    select account_id, application_id, amount_minor, currency, created_at, image.*
    from taken cross join lateral (values
      (-1, former_status, former_method, former_refunded_minor, former_completed_at),
      (1, status, method, refunded_minor, completed_at)
    ) as image (sign, status, method, refunded_minor, completed_at)
    where image.status is not null
  ), days as (
    select account_id, date_bin('1 day', created_at, '2000-01-01T00:00:00Z') as starts_at, application_id, status,
      coalesce(method, '') as method, sum(sign) as payments
    from images group by 1, 2, 3, 4, 5 having sum(sign) <> 0
  ), quarters as (
    select account_id, date_bin('15 minutes', completed_at, '2000-01-01T00:00:00Z') as starts_at, currency,
      sum(sign * amount_minor) as gross_minor, sum(sign * refunded_minor) as refunded_minor,
      sum(case status when 'completed' then sign else 0 end) as completed
    from images where completed_at is not null
    group by 1, 2, 3 having sum(sign * amount_minor) <> 0 or sum(sign * refunded_minor) <> 0
      or sum(case status when 'completed' then sign else 0 end) <> 0
  ), by_merchant as (
    select account_id, array_agg(distinct payment_id order by payment_id desc) as payment_ids, count(*) as deltas
    from taken group by account_id
  )
  select
    (select jsonb_agg(jsonb_build_object('account_id', account_id, 'payment_ids', payment_ids[:50],
       'more', cardinality(payment_ids) > 50, 'deltas', deltas)) from by_merchant),
    day.*, quarter.*
  from (
    select array_agg(account_id), array_agg(starts_at), array_agg(application_id), array_agg(status), array_agg(method),
      array_agg(payments::bigint)
    from days
  ) as day cross join (
    select array_agg(account_id), array_agg(starts_at), array_agg(currency), array_agg(gross_minor::bigint),
      array_agg(refunded_minor::bigint), array_agg(completed::bigint)
    from quarters
  ) as quarter
  into changed,
    day_accounts, day_starts, day_applications, day_statuses, day_methods, day_payments,
    quarter_accounts, quarter_starts, quarter_currencies, quarter_gross, quarter_refunded, quarter_completed;

  merge into payment_counts as total
  using (
    with by_day as (
      select * from unnest(day_accounts, day_starts, day_applications, day_statuses, day_methods, day_payments)
        as day (account_id, starts_at, application_id, status, method, payments)
    )
    select * from by_day
    union all
    select account_id, '-infinity', application_id, status, method, sum(payments)
    from by_day group by account_id, application_id, status, method having sum(payments) <> 0
  ) as change
  on total.account_id = change.account_id and total.starts_at = change.starts_at
    and total.application_id = change.application_id and total.status = change.status and total.method = change.method
  when matched and total.payments + change.payments = 0 then delete
  when matched then update set payments = total.payments + change.payments
  when not matched then insert (account_id, starts_at, application_id, status, method, payments)
    values (change.account_id, change.starts_at, change.application_id, change.status, change.method, change.payments);

  merge into payment_revenue as total
  using unnest(quarter_accounts, quarter_starts, quarter_currencies, quarter_gross, quarter_refunded, quarter_completed)
    as change (account_id, starts_at, currency, gross_minor, refunded_minor, completed)
  on total.account_id = change.account_id and total.starts_at = change.starts_at and total.currency = change.currency
  when matched and total.gross_minor + change.gross_minor = 0 then delete
  when matched then update set gross_minor = total.gross_minor + change.gross_minor,
    refunded_minor = total.refunded_minor + change.refunded_minor, completed = total.completed + change.completed
  when not matched then insert (account_id, starts_at, currency, gross_minor, refunded_minor, completed)
    values (change.account_id, change.starts_at, change.currency, change.gross_minor, change.refunded_minor, change.completed);

  return query select * from jsonb_to_recordset(changed) as merchant (account_id uuid, payment_ids uuid[], more boolean, deltas integer);
end $$;

-- Counts all payments anew. Writers of payments wait meanwhile; readers see the former totals.
create function rebuild_payment_figures() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7823486516400);
  lock table payments in share mode;
  delete from payment_stat_deltas;
  delete from payment_counts;
  delete from payment_revenue;

  insert into payment_counts (account_id, starts_at, application_id, status, method, payments)
  select account_id, coalesce(day, '-infinity'), application_id, status, method, count(*)
  from (
    select account_id, date_bin('1 day', created_at, '2000-01-01T00:00:00Z') as day, application_id, status,
      coalesce(method, '') as method
    from payments
  ) as days
  group by account_id, application_id, status, method, grouping sets ((day), ()) order by 1, 2;

  insert into payment_revenue (account_id, starts_at, currency, gross_minor, refunded_minor, completed)
  select account_id, date_bin('15 minutes', completed_at, '2000-01-01T00:00:00Z'), currency, sum(coalesce(captured_minor, amount_minor)), sum(refunded_minor),
    count(*) filter (where status = 'completed')
  from payments where completed_at is not null group by 1, 2, 3 order by 1, 2;
end $$;

-- The totals where the invariant does not hold: totals with deltas, and the payments. A row is a discrepancy.
create view payment_figures_drift as
with kept as (
  select 'payments' as figure, account_id, jsonb_build_array(starts_at, application_id, status, method) as of, payments as value
  from payment_counts
  union all
  select figure, account_id, jsonb_build_array(starts_at, currency), value
  from payment_revenue
  cross join lateral (values ('gross', gross_minor), ('refunded', refunded_minor), ('completed', completed)) as each (figure, value)
), images as (
  select account_id, sign, application_id, status, method, amount_minor, currency, refunded_minor, created_at, completed_at, false as is_truth
  from payment_stat_images
  union all
  select account_id, 1, application_id, status, method, coalesce(captured_minor, amount_minor), currency, refunded_minor, created_at, completed_at, true
  from payments
), counted as (
  select is_truth, 'payments' as figure, account_id,
    jsonb_build_array(starts_at, application_id, status, coalesce(method, '')) as of, sign::bigint as value
  from images
  cross join lateral (values ('-infinity'), (date_trunc('day', created_at, 'UTC'))) as of_day (starts_at)
  union all
  select is_truth, figure, account_id,
    jsonb_build_array(
      date_trunc('hour', completed_at, 'UTC') + floor(extract(minute from completed_at) / 15) * interval '15 minutes', currency),
    sign * value
  from images
  cross join lateral (values
    ('gross', amount_minor), ('refunded', refunded_minor), ('completed', case status when 'completed' then 1 else 0 end)
  ) as each (figure, value)
  where completed_at is not null
)
select account_id, figure, of, coalesce(sum(value) filter (where not is_truth), 0) as kept,
  coalesce(sum(value) filter (where is_truth), 0) as counted
from (select false as is_truth, figure, account_id, of, value from kept union all table counted) as both_sides
group by account_id, figure, of
having coalesce(sum(value) filter (where not is_truth), 0) <> coalesce(sum(value) filter (where is_truth), 0);

-- An adjustment may name the payment that it corrects.
alter table ledger_adjustments add foreign key (account_id, payment_id) references payments (account_id, id);

-- Invariant: a transfer is in the currency of its payment. A foreign key would need an index of payments that begins with
-- their key and contains the currency, and every new payment would pay for it; the trigger reads the key once for each statement.
create function ledger_transfers_guard_currency() returns trigger language plpgsql as $$
begin
  if exists (
    select from posted
    join payments on payments.account_id = posted.account_id and payments.id = posted.payment_id
    where payments.currency <> posted.currency
  ) then
    raise exception 'a transfer is not in the currency of its payment' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger ledger_transfers_guard_currency after insert on ledger_transfers
  referencing new table as posted for each statement execute function ledger_transfers_guard_currency();

-- The sums of the ledger and of the refunds for each payment beside those of the payment. A row is a discrepancy. With one account_id, only the rows
-- of that environment are read: PostgreSQL applies it to both tables of a full join where coalesce has the order of the comparison.
create view payment_ledger_drift as
-- By payment: gross and fee when it is paid, refunds paid and reserved; all in the currency of the payment.
select coalesce(p.account_id, booked.account_id) as account_id, coalesce(p.id, booked.payment_id) as payment_id
from payments p
full join (
  select account_id, payment_id, currency,
    coalesce(sum(amount_minor) filter (where kind = 'capture'), 0) as gross,
    coalesce(sum(amount_minor) filter (where kind = 'fee'), 0) as fee,
    coalesce(sum(amount_minor) filter (where kind = 'refund_reserve'), 0)
      - coalesce(sum(amount_minor) filter (where kind = 'refund_released'), 0)
      -- A late refund is paid out of merchant.payable, because its reserve was released.
      + coalesce(sum(amount_minor) filter (where kind = 'refund_paid' and debit_code = 'merchant.payable'), 0) as refunded
  from ledger_transfers where payment_id is not null group by account_id, payment_id, currency
) as booked on p.account_id = booked.account_id and booked.payment_id = p.id and booked.currency = p.currency
left join (
  select account_id, payment_id, currency,
    coalesce(sum(amount_minor) filter (where status = 'completed'), 0) as done,
    coalesce(sum(amount_minor) filter (where status not in ('completed', 'failed')), 0) as underway
  from refunds where origin = 'merchant' group by account_id, payment_id, currency
) as own on own.account_id = coalesce(p.account_id, booked.account_id) and own.payment_id = p.id and own.currency = p.currency
where p.id is null
  or coalesce(booked.gross, 0) <> case when p.completed_at is null then 0 else coalesce(p.captured_minor, p.amount_minor) end
  or coalesce(booked.fee, 0) <> coalesce(p.fee_minor, 0)
  or coalesce(booked.refunded, 0) <> p.refunded_minor + p.refund_pending_minor
  or coalesce(own.done, 0) <> p.refunded_minor
  or coalesce(own.underway, 0) <> p.refund_pending_minor
union
-- By refund: its whole amount was own, from the merchant's money or from a duplicate charge; it was paid if the refund completed, and
-- released if the refund failed. The merchant paid a refund that was paid after its release.
select coalesce(r.account_id, moved.account_id), coalesce(r.payment_id, moved.payment_id)
from refunds r
full join (
  select account_id, payment_id, currency, cause_id,
    coalesce(sum(amount_minor) filter (where kind = 'refund_reserve'), 0) as reserved,
    coalesce(sum(amount_minor) filter (where kind = 'duplicate_capture'), 0) as came_twice,
    coalesce(sum(amount_minor) filter (where kind = 'refund_released'), 0) as released,
    coalesce(sum(amount_minor) filter (where kind = 'refund_paid'), 0) as paid,
    coalesce(sum(amount_minor) filter (where kind = 'refund_paid' and debit_code = 'merchant.payable'), 0) as paid_by_merchant
  from ledger_transfers where kind in ('refund_reserve', 'duplicate_capture', 'refund_released', 'refund_paid')
  group by account_id, payment_id, currency, cause_id
) as moved on r.account_id = moved.account_id and moved.payment_id = r.payment_id and moved.currency = r.currency
  and moved.cause_id = r.id
where r.id is null or moved.cause_id is null
  or moved.reserved <> case r.origin when 'merchant' then r.amount_minor else 0 end
  or moved.came_twice <> case r.origin when 'duplicate' then r.amount_minor else 0 end
  or moved.paid <> case r.status when 'completed' then r.amount_minor else 0 end
  or moved.released <> case r.status when 'failed' then r.amount_minor else moved.paid_by_merchant end
  or (r.origin = 'duplicate' and moved.paid_by_merchant <> 0);

-- The columns that the dashboard's figures may read of payments.
create view payment_figures as
select p.account_id, p.id, p.status, p.method, p.amount_minor, p.currency, p.created_at, a.name as application_name,
  p.refunded_minor,
  case when p.completed_at is not null then coalesce(p.captured_minor, p.amount_minor) end as captured_minor
from payments p
join applications a on a.account_id = p.account_id and a.id = p.application_id;

create view payment_method_figures as
select account_id, method, status, payments from payment_counts where starts_at = '-infinity' and method <> ''
union all
select account_id, method, status, sign from payment_stat_images where method is not null;

-- Completed amounts less refunds. A row of the totals has the beginning of its quarter of an hour as its time.
create view payment_revenue_figures as
select account_id, currency, starts_at as completed_at, gross_minor - refunded_minor as revenue_minor, completed from payment_revenue
union all
select account_id, currency, completed_at, sign * (amount_minor - refunded_minor), case status when 'completed' then sign else 0 end
from payment_stat_images where completed_at is not null;
