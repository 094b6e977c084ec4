-- The aggregation of totals names the columns of its tables: a row type would make it fail as soon as a later migration adds a column.
create or replace function aggregate_payment_stats(most integer)
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
