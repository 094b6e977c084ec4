-- A part of a payment's id is searched for in the ids themselves, and a count beyond ten thousand may end there: the index of letters and
-- the totals of amounts are gone.
drop view payment_figures_drift;
drop function index_due_payments(integer);
drop function index_payments(payment_search[]);
drop function id_letters(uuid);
drop table payment_search;
drop function payment_grams(uuid, uuid);
drop table payment_search_counts;
drop table payment_search_progress;
drop table payment_amounts;

-- The last twelve letters of an id, five bits each, with the bits in reverse order: ids that end alike are a range of numbers.
create function id_ending(id uuid) returns bigint language sql immutable strict parallel safe
  return reverse(('x' || right(encode(uuid_send(id), 'hex'), 15))::bit(60)::text)::bit(60)::bigint;
create index payments_by_ending on payments (merchant_id, id_ending(id));

create or replace function payments_note_created() returns trigger language plpgsql as $$
begin
  insert into payment_changes (merchant_id, payment_id, sign, application_id, status, method, amount_minor, currency, refunded_minor,
    created_at, completed_at)
  select merchant_id, id, 1, application_id, status, method, amount_minor, currency, refunded_minor, created_at, completed_at
  from created;
  return null;
end $$;
alter table payment_changes drop column is_new;

create or replace function fold_payment_changes(most integer) returns integer language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  notes_taken integer;
  by_hour payment_counts[];
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
  ), quarters as (
    select merchant_id, date_bin('15 minutes', completed_at, '2000-01-01T00:00:00Z'), currency,
      sum(sign * amount_minor), sum(sign * refunded_minor), sum(case status when 'completed' then sign else 0 end)
    from taken where completed_at is not null
    group by 1, 2, 3 having sum(sign * amount_minor) <> 0 or sum(sign * refunded_minor) <> 0
      or sum(case status when 'completed' then sign else 0 end) <> 0
  ), told as (
    select pg_notify('payments_changed', json_build_object(
      'merchantId', merchant_id, 'paymentIds', to_json(payment_ids[:50]), 'more', cardinality(payment_ids) > 50)::text), notes
    from (
      select merchant_id, array_agg(distinct payment_id order by payment_id desc) as payment_ids, count(*) as notes
      from taken group by merchant_id
    ) as changed
  )
  select (select sum(notes) from told),
    (select array_agg(row(hours.*)::payment_counts) from hours),
    (select array_agg(row(quarters.*)::payment_revenue) from quarters)
  into notes_taken, by_hour, by_quarter;

  merge into payment_counts as kept
  using (
    select hours.merchant_id, spans.span, spans.starts_at, hours.application_id, hours.status, hours.method,
      sum(hours.payments) as payments
    from unnest(by_hour) as hours
    cross join lateral (values
      ('all', '-infinity'),
      ('32 days', date_bin('32 days', hours.starts_at, '1970-01-01T00:00:00Z')),
      ('day', date_bin('1 day', hours.starts_at, '2000-01-01T00:00:00Z')),
      ('hour', hours.starts_at)
    ) as spans (span, starts_at)
    group by 1, 2, 3, 4, 5, 6 having sum(hours.payments) <> 0
  ) as change
  on kept.merchant_id = change.merchant_id and kept.span = change.span and kept.starts_at = change.starts_at
    and kept.application_id = change.application_id and kept.status = change.status and kept.method = change.method
  when matched and kept.payments + change.payments = 0 then delete
  when matched then update set payments = kept.payments + change.payments
  when not matched then insert (merchant_id, span, starts_at, application_id, status, method, payments)
    values (change.merchant_id, change.span, change.starts_at, change.application_id, change.status, change.method, change.payments);

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
create or replace function rebuild_payment_figures() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7823486516400);
  lock table payments in share mode;
  delete from payment_changes;
  delete from payment_counts;
  delete from payment_revenue;

  insert into payment_counts (merchant_id, span, starts_at, application_id, status, method, payments)
  select merchant_id, span, spans.starts_at, application_id, status, method, sum(payments)
  from (
    select merchant_id, date_bin('1 hour', created_at, '2000-01-01T00:00:00Z') as hour, application_id, status,
      coalesce(method, '') as method, count(*) as payments
    from payments group by 1, 2, 3, 4, 5
  ) as hours
  cross join lateral (values
    ('all', '-infinity'),
    ('32 days', date_bin('32 days', hour, '1970-01-01T00:00:00Z')),
    ('day', date_bin('1 day', hour, '2000-01-01T00:00:00Z')),
    ('hour', hour)
  ) as spans (span, starts_at)
  group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3;

  insert into payment_revenue (merchant_id, starts_at, currency, gross_minor, refunded_minor, completed)
  select merchant_id, date_bin('15 minutes', completed_at, '2000-01-01T00:00:00Z'), currency, sum(amount_minor), sum(refunded_minor),
    count(*) filter (where status = 'completed')
  from payments where completed_at is not null group by 1, 2, 3 order by 1, 2;
end $$;

-- Where an invariant does not hold: what totals and notes say, and what the payments say. Empty, or something is wrong.
create view payment_figures_drift as
with kept as (
  select 'payments' as figure, merchant_id, jsonb_build_array(span, starts_at, application_id, status, method) as of, payments as value
  from payment_counts
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
    ('all', '-infinity'),
    ('32 days', to_timestamp(floor(extract(epoch from created_at) / 2764800) * 2764800)),
    ('day', date_trunc('day', created_at, 'UTC')),
    ('hour', date_trunc('hour', created_at, 'UTC'))
  ) as spans (span, starts_at)
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
