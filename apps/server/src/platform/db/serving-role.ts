import pg from 'pg'
import { invariant } from '../errors.ts'
import { lockMigrations } from './migrate.ts'

/**
 * Grants a role the rights that serving needs and no more: it reads and writes rows and owns nothing, so it cannot disable a trigger,
 * change a table or a function, or empty the ledger. Where triggers refuse every UPDATE and DELETE of a table, the role lacks the right as
 * well.
 */
const grants = `do $$
declare
  role constant text := quote_ident(current_setting('muripo.serving_role'));
  place record;
begin
  execute format('grant usage on schema public to %s', role);
  execute format('grant usage, select on all sequences in schema public to %s', role);
  execute format('grant execute on all functions in schema public to %s', role);
  for place in
    select c.oid::regclass as name, c.relname, c.relkind,
      coalesce(bit_or(t.tgtype::int) filter (where t.tgqual is null and t.tgattr = '' and p.proname in ('refuse_change', 'environments_guard')), 0) as refused
    from pg_class c
    left join pg_trigger t on t.tgrelid = c.oid and not t.tgisinternal and t.tgtype & 1 = 1
    left join pg_proc p on p.oid = t.tgfoid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
    group by c.oid, c.relname
  loop
    execute format('revoke all on %s from %s', place.name, role);
    execute format('grant select on %s to %s', place.name, role);
    continue when place.relkind = 'v' or place.relname = 'pgmigrations';
    execute format('grant insert on %s to %s', place.name, role);
    -- In a trigger's type 8 is DELETE and 16 is UPDATE. Locking a row requires the right to update it.
    if place.refused & 24 <> 24 then
      execute format('grant update on %s to %s', place.name, role);
    end if;
    if place.refused & 8 = 0 then
      execute format('grant delete on %s to %s', place.name, role);
    end if;
  end loop;
end $$`

/** Runs after every migration, because only its owner has rights on a new table. */
export async function grantServing(ownerUrl: string, role: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'muripo: grants' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    // Concurrent grants on one table fail in one of two processes, so a lock orders them.
    await lockMigrations(client)
    await client.query("select set_config('muripo.serving_role', $1, false)", [role])
    await client.query('begin')
    await client.query("set local lock_timeout = '10s'")
    await client.query(grants)
    await client.query('commit')
  } finally {
    await client.end()
  }
}

export interface Role {
  readonly name: string
  readonly ownsTables: boolean
}

/** Reads the role of the sessions of an address: the address may name none, or the server may set another one. */
export async function readRole(url: string): Promise<Role> {
  const client = new pg.Client({ connectionString: url, application_name: 'muripo: grants' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<Role>(
      `select current_user::text as name, coalesce((
         select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('payments')), false) as "ownsTables"`,
    )
    const [role] = rows
    invariant(role, 'a session has a role')
    return role
  } finally {
    await client.end()
  }
}
