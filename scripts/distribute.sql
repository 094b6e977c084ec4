-- The position of each table on several nodes: for the coordinator of Citus, on a database without rows that has the schema of
-- apps/server/schema.sql. "npm run schema" writes the statements between the two lines that name it.

-- A local table that refers to a reference table stays local.
SET citus.enable_local_reference_table_foreign_keys = off;
-- A trigger works on rows of its own environment, which are on the same node, and reads reference tables.
SET citus.enable_unsafe_triggers = on;
SET citus.multi_shard_modify_mode = 'sequential';

-- Citus evaluates a function on the coordinator, unless PostgreSQL has replaced the call by its text.
CREATE OR REPLACE FUNCTION muripo_now() RETURNS timestamp with time zone LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
begin
  return coalesce(nullif(current_setting('muripo.now', true), '')::timestamptz, date_trunc('milliseconds', statement_timestamp()));
end $$;

-- Citus has no transition tables: these triggers are for each row, where one for each statement is cheaper on one node.
DROP TRIGGER payments_append_created_deltas ON payments;
DROP TRIGGER payments_append_changed_deltas ON payments;
DROP TRIGGER ledger_transfers_guard_payment ON ledger_transfers;
DROP TRIGGER ledger_transfers_guard_posting ON ledger_transfers;

CREATE OR REPLACE FUNCTION payments_append_created_deltas() RETURNS trigger LANGUAGE plpgsql AS $$
declare
  application uuid;
begin
  select id into application from applications where account_id = new.account_id and id = new.application_id;
  insert into payment_stat_deltas (account_id, payment_id, application_id, amount_minor, currency, created_at,
    status, method, refunded_minor, completed_at)
  values (new.account_id, new.id, application, new.amount_minor, new.currency, new.created_at,
    new.status, new.method, new.refunded_minor, new.completed_at);
  return null;
end $$;

CREATE OR REPLACE FUNCTION payments_append_changed_deltas() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into payment_stat_deltas (account_id, payment_id, application_id, amount_minor, currency, created_at,
    status, method, refunded_minor, completed_at, former_status, former_method, former_refunded_minor, former_completed_at)
  values (new.account_id, new.id, new.application_id, coalesce(new.captured_minor, new.amount_minor), new.currency, new.created_at,
    new.status, new.method, new.refunded_minor, new.completed_at, old.status, old.method, old.refunded_minor, old.completed_at);
  return null;
end $$;

CREATE OR REPLACE FUNCTION ledger_transfers_guard_payment() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if exists (
    select from payments where account_id = new.account_id and id = new.payment_id
      and (currency <> new.currency or application_id <> new.application_id)
  ) then
    raise exception 'a transfer is not in the currency and of the application of its payment' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

CREATE OR REPLACE FUNCTION ledger_transfers_guard_posting() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if (select count(*) from ledger_accounts
      where account_id = new.account_id and currency = new.currency and code in (new.debit_code, new.credit_code)) < 2 then
    raise exception 'a transfer names an account that does not exist'
      using errcode = 'foreign_key_violation', constraint = 'ledger_transfers_accounts';
  end if;
  if new.position < (select position from ledger_balance_position) then
    raise exception 'a transfer is below the position of the balances' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

CREATE TRIGGER payments_append_created_deltas AFTER INSERT ON payments FOR EACH ROW EXECUTE FUNCTION payments_append_created_deltas();
CREATE TRIGGER payments_append_changed_deltas AFTER UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION payments_append_changed_deltas();
CREATE TRIGGER ledger_transfers_guard_payment AFTER INSERT ON ledger_transfers FOR EACH ROW EXECUTE FUNCTION ledger_transfers_guard_payment();
CREATE TRIGGER ledger_transfers_guard_posting AFTER INSERT ON ledger_transfers FOR EACH ROW EXECUTE FUNCTION ledger_transfers_guard_posting();

-- It runs on each node for the merchant's row there, and changes the applications of the groups of that node.
CREATE OR REPLACE FUNCTION merchants_copy_status() RETURNS trigger LANGUAGE plpgsql SET citus.enable_manual_changes_to_shards TO on AS $$
declare
  shard_group text;
begin
  for shard_group in select nspname from pg_namespace where nspname ~ '^shard_group_\d+$' order by 1 loop
    perform set_config('search_path', format('%I, public', shard_group), true);
    update applications set merchant_active = new.status in ('new', 'approved')
    where account_id in (select id from environments where merchant_id = new.id);
  end loop;
  perform set_config('search_path', 'public', true);
  return null;
end $$;

-- Written by "npm run schema" from scripts/lib/schema/distribution.ts:
SELECT create_reference_table('business_holidays');
SELECT create_reference_table('documents');
SELECT create_reference_table('merchants');
SELECT create_reference_table('environments');
SELECT create_reference_table('ledger_balance_position');
SELECT create_reference_table('ledger_business_days');
SELECT create_reference_table('transaction_position_base');
SELECT create_distributed_table('applications', 'account_id');
SELECT create_distributed_table('application_brands', 'account_id');
SELECT create_distributed_table('application_keys', 'account_id');
SELECT create_distributed_table('approved_brands', 'account_id');
SELECT create_distributed_table('payment_attempts', 'account_id');
SELECT create_distributed_table('capture_instructions', 'account_id');
SELECT create_distributed_table('customers', 'account_id');
SELECT create_distributed_table('events', 'account_id');
SELECT create_distributed_table('events_to_relay', 'account_id');
SELECT create_distributed_table('ledger_account_balances', 'account_id');
SELECT create_distributed_table('ledger_accounts', 'account_id');
SELECT create_distributed_table('payments', 'account_id');
SELECT create_distributed_table('ledger_adjustments', 'account_id');
SELECT create_distributed_table('ledger_comparisons', 'account_id');
SELECT create_distributed_table('ledger_day_sums', 'account_id');
SELECT create_distributed_table('ledger_transfers', 'account_id');
SELECT create_distributed_table('refunds', 'account_id');
SELECT create_distributed_table('payment_anomalies', 'account_id');
SELECT create_distributed_table('payment_counts', 'account_id');
SELECT create_distributed_table('payment_revenue', 'account_id');
SELECT create_distributed_table('payment_stat_deltas', 'account_id');
SELECT create_distributed_table('receipts_to_mail', 'account_id');
SELECT create_distributed_table('retained_numbers', 'account_id');
SELECT create_distributed_table('webhook_deliveries', 'account_id');
SELECT create_distributed_table('webhook_delivery_attempts', 'account_id');
SELECT create_distributed_table('webhook_endpoints', 'account_id');
SELECT create_distributed_table('webhook_secrets', 'account_id');
SELECT citus_add_local_table_to_metadata('audit_log', cascade_via_foreign_keys := true);
SELECT citus_add_local_table_to_metadata('devices', cascade_via_foreign_keys := true);
SELECT citus_add_local_table_to_metadata('memberships', cascade_via_foreign_keys := true);
SELECT citus_add_local_table_to_metadata('passkeys', cascade_via_foreign_keys := true);
SELECT citus_add_local_table_to_metadata('operator_sessions', cascade_via_foreign_keys := true);
SELECT citus_add_local_table_to_metadata('operators', cascade_via_foreign_keys := true);
SELECT citus_add_local_table_to_metadata('proposals', cascade_via_foreign_keys := true);
SELECT citus_add_local_table_to_metadata('rate_limits', cascade_via_foreign_keys := true);
SELECT citus_add_local_table_to_metadata('resume_codes', cascade_via_foreign_keys := true);
SELECT citus_add_local_table_to_metadata('sessions', cascade_via_foreign_keys := true);
SELECT citus_add_local_table_to_metadata('totp_factors', cascade_via_foreign_keys := true);
SELECT citus_add_local_table_to_metadata('verdict_references', cascade_via_foreign_keys := true);
-- End of what "npm run schema" has written.

-- The views and functions of the schema, as every node needs them: views in the order of their references.
CREATE OR REPLACE FUNCTION shard_group_parts() RETURNS jsonb LANGUAGE sql SET search_path TO public AS $$
  with recursive views as (
    select c.oid, 0 as depth from pg_class c where c.relkind = 'v' and c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
    union all
    select r.ev_class, views.depth + 1 from views
    join pg_depend d on d.refobjid = views.oid and d.classid = 'pg_rewrite'::regclass
    join pg_rewrite r on r.oid = d.objid and r.ev_class <> views.oid
  ), ordered as (
    select oid, max(depth) as depth from views group by oid
  )
  select jsonb_build_object(
    'views', (select jsonb_agg(jsonb_build_object('name', relname, 'query', pg_get_viewdef(c.oid)) order by depth, relname)
      from ordered join pg_class c using (oid)),
    'functions', (select jsonb_agg(jsonb_build_object('call', p.oid::regprocedure::text, 'text', pg_get_functiondef(p.oid)) order by proname)
      from pg_proc p where pronamespace = 'public'::regnamespace and prokind = 'f'
      and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
      and proname not in ('shard_group_parts', 'create_shard_groups')))
$$;

-- Citus prepares the commit of a transaction that has read a reference table on its node, and so the entry is written with its action or not
-- at all. Otherwise it would commit on the coordinator after the action, and could fail there.
CREATE OR REPLACE FUNCTION append_to_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  perform from public.transaction_position_base;
  insert into public.audit_log select new.*;
  return new;
end $$;

-- A schema for each shard group of this node, with the tables of its accounts under their own names: a view of each shard, and of the
-- merchants of the group. A view refuses the row of an account of another group. Positions are counted in transactions of one node, so each
-- group has its own. Sessions with this search path use no other node, except for the tables of the coordinator.
CREATE OR REPLACE FUNCTION create_shard_groups(parts jsonb) RETURNS void LANGUAGE plpgsql SET citus.enable_ddl_propagation TO off
SET citus.override_table_visibility TO off AS $$
declare
  shard_group record;
  part record;
  shard record;
  identity record;
  columns text;
  condition text;
begin
  for part in select * from jsonb_to_recordset(parts->'functions') as part (call text, text text) loop
    if to_regprocedure(part.call) is null then
      execute part.text;
    end if;
  end loop;
  for shard_group in
    select * from (
      select 'shard_group_' || (row_number() over (order by shardminvalue::int) - 1) as name, groupid,
        shardminvalue::int as low, shardmaxvalue::int as high
      from pg_dist_shard join pg_dist_placement using (shardid) where logicalrelid = 'public.payments'::regclass
    ) as of_all_nodes where groupid = (select groupid from pg_dist_local_group)
  loop
    execute format('create schema %1$I', shard_group.name);
    execute format('create table %1$I.transaction_position_base as select 0::bigint as base', shard_group.name);
    execute format('create table %1$I.ledger_balance_position as select 0::bigint as position', shard_group.name);
    execute format('create table %1$I.ledger_business_days as select public.business_date_at(now(), ''20:00'') as business_date,
      0::bigint as from_position, null::bigint as to_position, null::timestamptz as closed_at', shard_group.name);
    execute format('create unique index ledger_business_days_one_open on %1$I.ledger_business_days ((true)) where to_position is null',
      shard_group.name);
    execute format('alter table %1$I.ledger_business_days add primary key (business_date)', shard_group.name);
    execute format('create trigger ledger_business_days_guard before insert or update on %1$I.ledger_business_days
      for each row execute function public.ledger_business_days_guard()', shard_group.name);
    execute format('create trigger ledger_business_days_no_delete before delete on %1$I.ledger_business_days
      for each row execute function public.refuse_change()', shard_group.name);
    for shard in
      select c.relname as name, c.oid as shell, s.shardid, d.partmethod = 'h' as is_distributed,
        (select attname from pg_attribute where attrelid = c.oid and attnum = 1) as account
      from pg_dist_partition d join pg_class c on c.oid = d.logicalrelid join pg_dist_shard s on s.logicalrelid = d.logicalrelid
      where (d.partmethod = 'h' and s.shardminvalue::int = shard_group.low) or c.relname in ('merchants', 'environments')
    loop
      select string_agg(quote_ident(attname), ', ' order by attnum) into columns from pg_attribute
        where attrelid = shard.shell and attnum > 0 and not attisdropped;
      -- The order of rows to be deleted is that of their places.
      if shard.name = 'payment_stat_deltas' then
        columns := 'ctid, ' || columns;
      end if;
      condition := format('case when worker_hash(%I) between %s and %s then true else false end',
        case when shard.is_distributed then 'account_id' else shard.account end, shard_group.low, shard_group.high);
      execute format('create view %I.%I as select %s from public.%I where %s with local check option',
        shard_group.name, shard.name, columns, shard.name || '_' || shard.shardid, condition);
      for identity in
        select attname, pg_get_serial_sequence('public.' || shard.name, attname) as sequence
        from pg_attribute where attrelid = shard.shell and attidentity <> ''
      loop
        execute format('alter view %I.%I alter column %I set default nextval(%L)',
          shard_group.name, shard.name, identity.attname, identity.sequence);
      end loop;
      if not shard.is_distributed then
        execute format('create trigger %3$I instead of insert or update or delete on %1$I.%2$I for each row execute function public.refuse_change()',
          shard_group.name, shard.name, shard.name || '_are_written_on_all_nodes');
      end if;
    end loop;
    execute format('create view %I.audit_log as select * from public.audit_log', shard_group.name);
    execute format('create trigger audit_log_of_coordinator instead of insert on %I.audit_log for each row execute function public.append_to_audit_log()',
      shard_group.name);
    perform set_config('search_path', format('%I, public', shard_group.name), true);
    for part in select * from jsonb_to_recordset(parts->'views') as part (name text, query text) loop
      execute format('create view %I.%I as %s', shard_group.name, part.name, part.query);
    end loop;
    -- MERGE into a view needs PostgreSQL 17.
    for part in select * from jsonb_to_recordset(parts->'functions') as part (call text, text text) where text ~ 'merge into' loop
      columns := replace(part.text, 'FUNCTION public.', format('FUNCTION %I.', shard_group.name));
      for shard in
        select c.relname as name, c.relname || '_' || s.shardid as shard from pg_dist_shard s join pg_class c on c.oid = s.logicalrelid
        where s.shardminvalue::int = shard_group.low
      loop
        columns := replace(columns, format('merge into %s ', shard.name), format('merge into public.%I ', shard.shard));
      end loop;
      execute columns;
    end loop;
    perform set_config('search_path', 'public', true);
  end loop;
end $$;

DO $$
declare
  failed text;
begin
  select string_agg(result, '; ') into failed
  from run_command_on_all_nodes(format('select create_shard_groups(%L)', shard_group_parts())) where not success;
  if failed is not null then
    raise exception 'the shard groups were not created: %', failed;
  end if;
end $$;

-- The house of each shard group: the first reserved id whose rows are in the group.
INSERT INTO environments (id)
SELECT found.id FROM pg_dist_shard AS shard CROSS JOIN LATERAL (
  SELECT made.id FROM generate_series(0, 99999) AS n
  CROSS JOIN LATERAL (SELECT ('00000000-0000-0000-0000-' || lpad(to_hex(n), 12, '0'))::uuid AS id) AS made
  WHERE worker_hash(made.id) BETWEEN shard.shardminvalue::int AND shard.shardmaxvalue::int ORDER BY n LIMIT 1
) AS found WHERE shard.logicalrelid = 'payments'::regclass
ON CONFLICT DO NOTHING;

-- A position of the coordinator's transactions would be in no order with those of the nodes, and each group has a position of its balances:
-- what needs either is refused on the coordinator.
DELETE FROM transaction_position_base;
DROP VIEW ledger_day_sums_drift, ledger_day_sides, ledger_balances_drift, ledger_balances, ledger_new_transfers;
