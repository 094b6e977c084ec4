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
    for shard in
      select c.relname as name, c.oid as shell, s.shardid, d.partmethod = 'h' as is_distributed,
        (select attname from pg_attribute where attrelid = c.oid and attnum = case when c.relname = 'environments' then 2 else 1 end) as account
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

-- A position of the coordinator's transactions would be in no order with those of the nodes, and each group has a position of its balances:
-- what needs either is refused on the coordinator.
DELETE FROM transaction_position_base;
DROP VIEW ledger_balances_drift, ledger_balances, ledger_new_transfers;
