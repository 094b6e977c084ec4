-- Citus evaluates a function on the coordinator, unless PostgreSQL has replaced the call by its text.
CREATE OR REPLACE FUNCTION muripo_now() RETURNS timestamp with time zone LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
begin
  return coalesce(nullif(current_setting('muripo.now', true), '')::timestamptz, date_trunc('milliseconds', statement_timestamp()));
end $$;

-- Citus has no transition tables: these triggers are for each row, where one for each statement is cheaper on one node.
DROP TRIGGER payments_append_created_deltas ON payments;
DROP TRIGGER payments_append_changed_deltas ON payments;
DROP TRIGGER ledger_transfers_guard_currency ON ledger_transfers;
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

CREATE OR REPLACE FUNCTION ledger_transfers_guard_currency() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if exists (
    select from payments where account_id = new.account_id and id = new.payment_id and currency <> new.currency
  ) then
    raise exception 'a transfer is not in the currency of its payment' using errcode = 'restrict_violation';
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
CREATE TRIGGER ledger_transfers_guard_currency AFTER INSERT ON ledger_transfers FOR EACH ROW EXECUTE FUNCTION ledger_transfers_guard_currency();
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
