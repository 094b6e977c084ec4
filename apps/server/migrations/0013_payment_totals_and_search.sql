-- Totals of months, so that years are a few rows; thirty-two days, for steps of one width need no calendar.
alter table payment_counts
  drop constraint payment_counts_span_check,
  add constraint payment_counts_span_check check (span in ('all', '32 days', 'day', 'hour'));

-- How many payments there are of each amount and kind, and between one multiple of a width and the next.
drop view payment_figures_drift;
drop table payment_amounts;
create table payment_amounts (
  merchant_id    uuid   not null,
  width          bigint not null check (width in (1, 100, 10000, 1000000)),
  from_minor     bigint not null,
  application_id uuid   not null,
  status         text   not null,
  -- Empty while none is chosen.
  method         text   not null,
  payments       bigint not null check (payments > 0),
  primary key (merchant_id, width, from_minor, application_id, status, method),
  check (from_minor % width = 0)
) with (fillfactor = 80);

-- Any three letters of an id, but for the first two, which are the same for decades: those who begin with something are a range of
-- the primary key. The index tells merchants apart by a hash in each key. Few merchants have so many payments that looking through
-- them takes long, and none can wait for an index while it creates a payment: the ids are brought here later, many at a time.
--
-- The invariant: of the payments up to indexed_to those are here whose note of being new is folded, once each.
create table payment_search (
  merchant_id uuid not null,
  id          uuid not null
);

-- Both functions are written out letter by letter: a loop takes five times as long.
do $outer$
begin
  execute format($body$
    create function payment_grams(merchant_id uuid, id uuid) returns bigint[] language plpgsql immutable strict parallel safe as $$
    declare
      bits varbit := B'00' || ('x' || encode(uuid_send(id), 'hex'))::bit(128);
      merchant bigint := uuid_hash_extended(merchant_id, 0) << 15;
    begin
      return array[%s];
    end $$ $body$,
    (select string_agg(format('merchant | substring(bits from %s for 15)::bit(15)::integer', 1 + 5 * letter), ', ')
     from generate_series(3, 23) as letter));

  -- 1024 + its number for each letter, and 32 * the number of the first + that of the second for every two in a row.
  execute format($body$
    create function id_letters(id uuid) returns integer[] language plpgsql immutable strict parallel safe as $$
    declare
      bits varbit := B'00' || ('x' || encode(uuid_send(id), 'hex'))::bit(128);
    begin
      return array[%s];
    end $$ $body$,
    (select string_agg(format('1024 + substring(bits from %s for 5)::bit(5)::integer', 1 + 5 * letter), ', ')
       || ', ' || string_agg(format('substring(bits from %s for 10)::bit(10)::integer', 1 + 5 * letter), ', ') filter (where letter < 25)
     from generate_series(0, 25) as letter));
end $outer$;

-- Merged when a whole batch of ids is in, in one go.
create index payment_search_grams on payment_search using gin (payment_grams(merchant_id, id))
  with (gin_pending_list_limit = 65536);

-- How many of those ids contain one letter or two in a row, as id_letters writes them.
create table payment_search_counts (
  merchant_id uuid     not null,
  letters     smallint not null check (letters between 0 and 1055),
  payments    bigint   not null check (payments > 0),
  primary key (merchant_id, letters)
) with (fillfactor = 80);

create table payment_search_progress (
  merchant_id uuid   primary key,
  -- Those whose note of being new is folded, and how many of them are in payment_search.
  payments    bigint not null check (payments >= indexed),
  indexed     bigint not null default 0 check (indexed >= 0),
  indexed_to  uuid
) with (fillfactor = 80);

alter table payment_changes add column is_new boolean not null default false;

create or replace function payments_note_created() returns trigger language plpgsql as $$
begin
  insert into payment_changes (merchant_id, payment_id, sign, application_id, status, method, amount_minor, currency, refunded_minor,
    created_at, completed_at, is_new)
  select merchant_id, id, 1, application_id, status, method, amount_minor, currency, refunded_minor, created_at, completed_at, true
  from created;
  return null;
end $$;

create function index_payments(batch payment_search[]) returns void language sql as $$
  insert into payment_search select merchant_id, id from unnest(batch);

  insert into payment_search_counts as kept (merchant_id, letters, payments)
  select merchant_id, letters, count(*)
  from (select merchant_id, id_letters(id) as all_letters from unnest(batch) offset 0) as ids
  cross join lateral (select letters from unnest(all_letters) as letters group by letters) as of_id
  group by merchant_id, letters
  on conflict (merchant_id, letters) do update set payments = kept.payments + excluded.payments;

  update payment_search_progress as progress set indexed = indexed + of_merchant.ids
  from (select merchant_id, count(*) as ids from unnest(batch) group by merchant_id) as of_merchant
  where progress.merchant_id = of_merchant.merchant_id;
$$;

-- Brings the next of a merchant's ids to payment_search, of a merchant who has as many that are not there. Returns how many.
create function index_due_payments(most integer) returns integer language plpgsql as $$
declare
  due payment_search_progress;
  batch payment_search[];
  last uuid;
begin
  if not pg_try_advisory_xact_lock(7823486516400) then
    return 0;
  end if;
  select * into due from payment_search_progress where payments - indexed >= most order by payments - indexed desc limit 1;
  if not found then
    return 0;
  end if;
  with next as materialized (
    select id from payments
    where merchant_id = due.merchant_id and id > coalesce(due.indexed_to, '00000000-0000-0000-0000-000000000000')
    order by id limit most
  )
  select
    -- Those whose note is not folded yet will be found by the folder to be late.
    (select array_agg(row(due.merchant_id, id)::payment_search) from next
     where id not in (select payment_id from payment_changes where merchant_id = due.merchant_id and is_new)),
    (select id from next order by id desc limit 1)
  into batch, last;
  perform index_payments(batch);
  update payment_search_progress set indexed_to = last where merchant_id = due.merchant_id;
  perform gin_clean_pending_list('payment_search_grams');
  return coalesce(cardinality(batch), 0);
end $$;

-- As before, and besides: the totals that are new above, and what is left to bring to payment_search.
create or replace function fold_payment_changes(most integer) returns integer language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  notes_taken integer;
  by_hour payment_counts[];
  by_amount payment_amounts[];
  by_quarter payment_revenue[];
  late payment_search[];
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
    select merchant_id, 1, amount_minor, application_id, status, coalesce(method, ''), sum(sign)
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
  ), to_index as (
    insert into payment_search_progress as kept (merchant_id, payments)
    select merchant_id, count(*) from taken where is_new group by merchant_id
    on conflict (merchant_id) do update set payments = kept.payments + excluded.payments
  ), overtaken as (
    select taken.merchant_id, taken.payment_id
    from taken join payment_search_progress as progress on progress.merchant_id = taken.merchant_id
    where taken.is_new and taken.payment_id <= progress.indexed_to
  )
  select (select sum(notes) from told),
    (select array_agg(row(hours.*)::payment_counts) from hours),
    (select array_agg(row(amounts.*)::payment_amounts) from amounts),
    (select array_agg(row(quarters.*)::payment_revenue) from quarters),
    (select array_agg(row(overtaken.*)::payment_search) from overtaken)
  into notes_taken, by_hour, by_amount, by_quarter, late;

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

  merge into payment_amounts as kept
  using (
    select merchant_id, widths.width, from_minor - from_minor % widths.width as from_minor, application_id, status, method,
      sum(payments) as payments
    from unnest(by_amount) cross join (values (1), (100), (10000), (1000000)) as widths (width)
    group by 1, 2, 3, 4, 5, 6 having sum(payments) <> 0
  ) as change
  on kept.merchant_id = change.merchant_id and kept.width = change.width and kept.from_minor = change.from_minor
    and kept.application_id = change.application_id and kept.status = change.status and kept.method = change.method
  when matched and kept.payments + change.payments = 0 then delete
  when matched then update set payments = kept.payments + change.payments
  when not matched then insert (merchant_id, width, from_minor, application_id, status, method, payments)
    values (change.merchant_id, change.width, change.from_minor, change.application_id, change.status, change.method, change.payments);

  merge into payment_revenue as kept
  using unnest(by_quarter) as change
  on kept.merchant_id = change.merchant_id and kept.starts_at = change.starts_at and kept.currency = change.currency
  when matched and kept.gross_minor + change.gross_minor = 0 then delete
  when matched then update set gross_minor = kept.gross_minor + change.gross_minor,
    refunded_minor = kept.refunded_minor + change.refunded_minor, completed = kept.completed + change.completed
  when not matched then insert (merchant_id, starts_at, currency, gross_minor, refunded_minor, completed)
    values (change.merchant_id, change.starts_at, change.currency, change.gross_minor, change.refunded_minor, change.completed);

  if late is not null then
    perform index_payments(late);
  end if;
  return coalesce(notes_taken, 0);
end $$;

-- Counts everything again. Writers of payments wait meanwhile; readers see the totals of before.
create or replace function rebuild_payment_figures() returns void language plpgsql as $$
declare
  late payment_search[];
begin
  perform pg_advisory_xact_lock(7823486516400);
  lock table payments in share mode;
  late := array(
    select row(notes.merchant_id, notes.payment_id)::payment_search
    from payment_changes as notes join payment_search_progress as progress on progress.merchant_id = notes.merchant_id
    where notes.is_new and notes.payment_id <= progress.indexed_to);
  delete from payment_changes;
  delete from payment_counts;
  delete from payment_amounts;
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

  insert into payment_amounts (merchant_id, width, from_minor, application_id, status, method, payments)
  select merchant_id, width, amount_minor - amount_minor % width, application_id, status, method, sum(payments)
  from (
    select merchant_id, amount_minor, application_id, status, coalesce(method, '') as method, count(*) as payments
    from payments group by 1, 2, 3, 4, 5
  ) as amounts
  cross join (values (1), (100), (10000), (1000000)) as widths (width)
  group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3;

  insert into payment_revenue (merchant_id, starts_at, currency, gross_minor, refunded_minor, completed)
  select merchant_id, date_bin('15 minutes', completed_at, '2000-01-01T00:00:00Z'), currency, sum(amount_minor), sum(refunded_minor),
    count(*) filter (where status = 'completed')
  from payments where completed_at is not null group by 1, 2, 3 order by 1, 2;

  insert into payment_search_progress as kept (merchant_id, payments)
  select merchant_id, count(*) from payments group by merchant_id
  on conflict (merchant_id) do update set payments = excluded.payments;
  perform index_payments(late);
end $$;

select rebuild_payment_figures();

-- Where an invariant does not hold: what totals and notes say, and what the payments say. Empty, or something is wrong.
create view payment_figures_drift as
with kept as (
  select 'payments' as figure, merchant_id, jsonb_build_array(span, starts_at, application_id, status, method) as of, payments as value
  from payment_counts
  union all
  select 'amounts', merchant_id, jsonb_build_array(width, from_minor, application_id, status, method), payments from payment_amounts
  union all
  select figure, merchant_id, jsonb_build_array(starts_at, currency), value
  from payment_revenue
  cross join lateral (values ('gross', gross_minor), ('refunded', refunded_minor), ('completed', completed)) as each (figure, value)
  union all
  select 'indexed', merchant_id, jsonb_build_array(id), count(*) from payment_search group by merchant_id, id
  union all
  select 'indexed in all', merchant_id, '[]', indexed from payment_search_progress
  union all
  select 'to index', merchant_id, '[]', payments from payment_search_progress
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
  select is_truth, 'amounts', merchant_id,
    jsonb_build_array(width, amount_minor / width * width, application_id, status, coalesce(method, '')), sign
  from images cross join (values (1), (100), (10000), (1000000)) as widths (width)
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
  union all
  select true, figure, p.merchant_id, case figure when 'indexed' then jsonb_build_array(p.id) else '[]' end, 1
  from payments p
  join payment_search_progress as progress on progress.merchant_id = p.merchant_id
  cross join (values ('indexed'), ('indexed in all'), ('to index')) as each (figure)
  where (figure = 'to index' or p.id <= progress.indexed_to)
    and (p.merchant_id, p.id) not in (select merchant_id, payment_id from payment_changes where is_new)
)
select merchant_id, figure, of, coalesce(sum(value) filter (where not is_truth), 0) as kept,
  coalesce(sum(value) filter (where is_truth), 0) as counted
from (select false as is_truth, figure, merchant_id, of, value from kept union all table counted) as both_sides
group by merchant_id, figure, of
having coalesce(sum(value) filter (where not is_truth), 0) <> coalesce(sum(value) filter (where is_truth), 0);
