-- When a UUIDv7 was made: in milliseconds since 1970, and as a time.
create function id_ms(id uuid) returns bigint language sql immutable strict parallel safe
  return ('x' || encode(substring(uuid_send(id) for 6), 'hex'))::bit(48)::bigint;
create function id_time(id uuid) returns timestamptz language sql immutable strict parallel safe
  return to_timestamp(id_ms(id) / 1000::float8);

-- A payment was created when its id was made, so that days are ranges of ids. Before this was a rule the two were read from the clock
-- one after the other.
alter table payments disable trigger payments_moves;
update payments set created_at = id_time(id) where created_at <> id_time(id);
alter table payments enable trigger payments_moves;
alter table payments add constraint payments_created_with_id check (created_at = id_time(id));

-- Any status, method and application, alone or together, newest first: one range of this index for each kind of payment.
create index payments_by_kind on payments (merchant_id, application_id, status, method, id);

-- Any range of amounts, newest first: a day after the other, of each the range. Whoever counts a range of some kinds only finds them
-- here as well.
create function id_day(id uuid) returns integer language sql immutable strict parallel safe
  return (id_ms(id) / 86400000)::integer;
create index payments_by_amount on payments (merchant_id, id_day(id), amount_minor, id) include (application_id, status, method);

-- Counts and sums of payments are kept, not computed. Whoever writes a payment notes beside it what it was and what it is, each as a
-- row of its own with a sign, and waits for nobody; a folder adds the notes up into the totals below and removes them.
--
-- The invariant: at any moment, for every aggregate, totals + notes = the same aggregate over payments.
--
-- seq rises along the life of a payment, for its writers hold its row. So the notes of one merchant, taken in order up to any of them,
-- never bring a total below nought.
create table payment_changes (
  merchant_id    uuid        not null,
  seq            bigint      generated always as identity,
  payment_id     uuid        not null,
  -- 1: is so, -1: is so no longer, 0: changed in something that is not counted.
  sign           smallint    not null check (sign in (-1, 0, 1)),
  application_id uuid        not null,
  status         text        not null,
  method         text,
  amount_minor   bigint      not null,
  currency       text        not null,
  refunded_minor bigint      not null,
  created_at     timestamptz not null,
  completed_at   timestamptz,
  primary key (merchant_id, seq)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 10);

create function payments_note_created() returns trigger language plpgsql as $$
begin
  insert into payment_changes (merchant_id, payment_id, sign, application_id, status, method, amount_minor, currency, refunded_minor,
    created_at, completed_at)
  select merchant_id, id, 1, application_id, status, method, amount_minor, currency, refunded_minor, created_at, completed_at
  from created;
  return null;
end $$;
create trigger payments_noted_created after insert on payments
  referencing new table as created for each statement execute function payments_note_created();

create function payments_note_changed() returns trigger language plpgsql as $$
begin
  insert into payment_changes (merchant_id, payment_id, sign, application_id, status, method, amount_minor, currency, refunded_minor,
    created_at, completed_at)
  select a.merchant_id, a.id, image.sign, a.application_id, image.status, image.method, a.amount_minor, a.currency,
    image.refunded_minor, a.created_at, image.completed_at
  from before b join after a on a.merchant_id = b.merchant_id and a.id = b.id
  cross join lateral (
    select (b.status, b.method, b.refunded_minor, b.completed_at)
      is distinct from (a.status, a.method, a.refunded_minor, a.completed_at) as counts) as difference
  cross join lateral (values
    (-1, b.status, b.method, b.refunded_minor, b.completed_at),
    (case when difference.counts then 1 else 0 end, a.status, a.method, a.refunded_minor, a.completed_at)
  ) as image (sign, status, method, refunded_minor, completed_at)
  where difference.counts or image.sign = 0;
  return null;
end $$;
create trigger payments_noted_changed after update on payments
  referencing old table as before new table as after for each statement execute function payments_note_changed();

-- How many payments there are of each kind: in all, and by the day and the hour (UTC) in which they were created.
create table payment_counts (
  merchant_id    uuid        not null,
  span           text        not null check (span in ('all', 'day', 'hour')),
  starts_at      timestamptz not null,
  application_id uuid        not null,
  status         text        not null,
  -- Empty while none is chosen.
  method         text        not null,
  payments       bigint      not null check (payments > 0),
  primary key (merchant_id, span, starts_at, application_id, status, method)
) with (fillfactor = 80);

-- How many payments there are of each amount, and between one multiple of a width and the next.
create table payment_amounts (
  merchant_id uuid   not null,
  width       bigint not null check (width in (1, 1000, 1000000)),
  from_minor  bigint not null,
  payments    bigint not null check (payments > 0),
  primary key (merchant_id, width, from_minor),
  check (from_minor % width = 0)
) with (fillfactor = 80);

-- What was earned in each quarter of an hour: a day begins at one of them in every time zone. completed counts what was not given
-- back since.
create table payment_revenue (
  merchant_id    uuid        not null,
  starts_at      timestamptz not null,
  currency       text        not null,
  gross_minor    bigint      not null check (gross_minor > 0),
  refunded_minor bigint      not null check (refunded_minor between 0 and gross_minor),
  completed      bigint      not null check (completed >= 0),
  primary key (merchant_id, starts_at, currency)
) with (fillfactor = 80);

-- Adds notes up into the totals and tells who changed, in the caller's transaction. One folder works at a time, whoever starts it; the
-- others return. Returns how many notes it took, at most as many as asked: what is left is for the next call.
-- The changes are few and the totals many: the settings keep every join on the totals' keys.
create function fold_payment_changes(most integer) returns integer language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  notes_taken integer;
  by_hour payment_counts[];
  by_amount payment_amounts[];
  by_quarter payment_revenue[];
begin
  if not pg_try_advisory_xact_lock(7823486516400) then
    return 0;
  end if;
  with taken as (
    delete from payment_changes
    where ctid = any (array(select ctid from payment_changes order by merchant_id, seq limit most))
    returning *
  ), hours as (
    select merchant_id, 'hour', date_bin('1 hour', created_at, '2000-01-01T00:00:00Z'), application_id, status,
      coalesce(method, ''), sum(sign)
    from taken group by 1, 3, 4, 5, 6 having sum(sign) <> 0
  ), amounts as (
    select merchant_id, 1, amount_minor, sum(sign) from taken group by 1, 3 having sum(sign) <> 0
  ), quarters as (
    select merchant_id, date_bin('15 minutes', completed_at, '2000-01-01T00:00:00Z'), currency,
      sum(sign * amount_minor), sum(sign * refunded_minor), sum(case status when 'completed' then sign else 0 end)
    from taken where completed_at is not null
    group by 1, 2, 3 having sum(sign) <> 0 or sum(sign * refunded_minor) <> 0
  ), told as (
    select pg_notify('payments_changed', json_build_object(
      'merchantId', merchant_id, 'paymentIds', to_json(payment_ids[:50]), 'more', cardinality(payment_ids) > 50)::text), notes
    from (
      select merchant_id, array_agg(distinct payment_id order by payment_id desc) as payment_ids, count(*) as notes from taken group by merchant_id
    ) as changed
  )
  select (select sum(notes) from told),
    (select array_agg(row(hours.*)::payment_counts) from hours),
    (select array_agg(row(amounts.*)::payment_amounts) from amounts),
    (select array_agg(row(quarters.*)::payment_revenue) from quarters)
  into notes_taken, by_hour, by_amount, by_quarter;

  merge into payment_counts as kept
  using (
    select hours.merchant_id, spans.span, spans.starts_at, hours.application_id, hours.status, hours.method,
      sum(hours.payments) as payments
    from unnest(by_hour) as hours
    cross join lateral (values
      ('all', '-infinity'), ('day', date_bin('1 day', hours.starts_at, '2000-01-01T00:00:00Z')), ('hour', hours.starts_at)
    ) as spans (span, starts_at)
    group by 1, 2, 3, 4, 5, 6 having sum(hours.payments) <> 0
  ) as change
  on kept.merchant_id = change.merchant_id and kept.span = change.span and kept.starts_at = change.starts_at
    and kept.application_id = change.application_id and kept.status = change.status and kept.method = change.method
  when matched and kept.payments + change.payments = 0 then delete
  when matched then update set payments = kept.payments + change.payments
  when not matched then insert (merchant_id, span, starts_at, application_id, status, method, payments)
    values (change.merchant_id, change.span, change.starts_at, change.application_id, change.status, change.method, change.payments);

  merge into payment_amounts as kept
  using (
    select merchant_id, widths.width, from_minor - from_minor % widths.width as from_minor, sum(payments) as payments
    from unnest(by_amount) cross join (values (1), (1000), (1000000)) as widths (width)
    group by 1, 2, 3 having sum(payments) <> 0
  ) as change
  on kept.merchant_id = change.merchant_id and kept.width = change.width and kept.from_minor = change.from_minor
  when matched and kept.payments + change.payments = 0 then delete
  when matched then update set payments = kept.payments + change.payments
  when not matched then insert (merchant_id, width, from_minor, payments)
    values (change.merchant_id, change.width, change.from_minor, change.payments);

  merge into payment_revenue as kept
  using unnest(by_quarter) as change
  on kept.merchant_id = change.merchant_id and kept.starts_at = change.starts_at and kept.currency = change.currency
  when matched and kept.gross_minor + change.gross_minor = 0 then delete
  when matched then update set gross_minor = kept.gross_minor + change.gross_minor,
    refunded_minor = kept.refunded_minor + change.refunded_minor, completed = kept.completed + change.completed
  when not matched then insert (merchant_id, starts_at, currency, gross_minor, refunded_minor, completed)
    values (change.merchant_id, change.starts_at, change.currency, change.gross_minor, change.refunded_minor, change.completed);

  return coalesce(notes_taken, 0);
end $$;

-- Counts everything again. Writers of payments wait meanwhile; readers see the totals of before.
create function rebuild_payment_figures() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7823486516400);
  lock table payments in share mode;
  delete from payment_changes;
  delete from payment_counts;
  delete from payment_amounts;
  delete from payment_revenue;
  insert into payment_changes (merchant_id, payment_id, sign, application_id, status, method, amount_minor, currency, refunded_minor,
    created_at, completed_at)
  select merchant_id, id, 1, application_id, status, method, amount_minor, currency, refunded_minor, created_at, completed_at
  from payments;
  while fold_payment_changes(100000) > 0 loop
  end loop;
end $$;

select rebuild_payment_figures();

-- Where the invariant does not hold: what totals and notes say, and what the payments say. Empty, or something is wrong.
create view payment_figures_drift as
with kept as (
  select 'payments' as figure, merchant_id, jsonb_build_array(span, starts_at, application_id, status, method) as of, payments as value
  from payment_counts
  union all
  select 'amounts', merchant_id, jsonb_build_array(width, from_minor), payments from payment_amounts
  union all
  select figure, merchant_id, jsonb_build_array(starts_at, currency), value
  from payment_revenue
  cross join lateral (values ('gross', gross_minor), ('refunded', refunded_minor), ('completed', completed)) as each (figure, value)
), images as (
  select merchant_id, sign, application_id, status, method, amount_minor, currency, refunded_minor, created_at, completed_at, false as is_truth
  from payment_changes
  union all
  select merchant_id, 1, application_id, status, method, amount_minor, currency, refunded_minor, created_at, completed_at, true
  from payments
), counted as (
  select is_truth, 'payments' as figure, merchant_id,
    jsonb_build_array(span, starts_at, application_id, status, coalesce(method, '')) as of, sign::bigint as value
  from images
  cross join lateral (values
    ('all', '-infinity'), ('day', date_trunc('day', created_at, 'UTC')), ('hour', date_trunc('hour', created_at, 'UTC'))
  ) as spans (span, starts_at)
  union all
  select is_truth, 'amounts', merchant_id, jsonb_build_array(width, amount_minor / width * width), sign
  from images cross join (values (1), (1000), (1000000)) as widths (width)
  union all
  select is_truth, figure, merchant_id,
    jsonb_build_array(
      date_trunc('hour', completed_at, 'UTC') + floor(extract(minute from completed_at) / 15) * interval '15 minutes', currency),
    sign * value
  from images
  cross join lateral (values
    ('gross', amount_minor), ('refunded', refunded_minor), ('completed', case status when 'completed' then 1 else 0 end)
  ) as each (figure, value)
  where completed_at is not null
)
select merchant_id, figure, of, coalesce(sum(value) filter (where not is_truth), 0) as kept,
  coalesce(sum(value) filter (where is_truth), 0) as counted
from (select false as is_truth, figure, merchant_id, of, value from kept union all table counted) as both_sides
group by merchant_id, figure, of
having coalesce(sum(value) filter (where not is_truth), 0) <> coalesce(sum(value) filter (where is_truth), 0);

-- What the dashboard's figures may read of payments and applications.
drop view payment_figures;
create view payment_figures as
select p.merchant_id, p.id, p.status, p.method, p.amount_minor, p.currency, p.created_at, a.name as application_name
from payments p
join applications a on a.merchant_id = p.merchant_id and a.id = p.application_id;

create view payment_method_figures as
select merchant_id, method, status, payments from payment_counts where span = 'all' and method <> ''
union all
select merchant_id, method, status, sign from payment_changes where method is not null;

-- What was completed, less what of it was given back; what is in the totals stands at the beginning of its quarter of an hour.
create view payment_revenue_figures as
select merchant_id, currency, starts_at as completed_at, gross_minor - refunded_minor as revenue_minor, completed from payment_revenue
union all
select merchant_id, currency, completed_at, sign * (amount_minor - refunded_minor), case status when 'completed' then sign else 0 end
from payment_changes where completed_at is not null;

drop view application_figures;
create view application_figures as
select merchant_id, id, created_at from applications;
