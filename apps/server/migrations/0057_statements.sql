-- Statements of providers and banks. Each source is a chain: a statement begins with the closing balance of the one before it, so that a
-- missing, doubled or changed one is refused by a key.

-- The company's own accounts at banks; bank.ID in the ledger.
create table bank_accounts (
  id          text primary key check (id ~ '^[a-z0-9-]{1,40}$'),
  number      text not null check (length(number) between 1 and 40),
  bic         text check (bic ~ '^[A-Z0-9]{8}([A-Z0-9]{3})?$'),
  branch_code text check (branch_code ~ '^[0-9]{1,12}$'),
  currency    text not null check (currency ~ '^[A-Z]{3}$')
);

-- An account at a provider or a bank with its form of statements. The mapping says where a table has which fact.
create table statement_sources (
  id             text primary key check (id ~ '^[a-z0-9-]{1,40}$'),
  -- batches: an acquirer's settlement batches, which sum to zero with the row of their payout.
  kind           text not null check (kind in ('provider', 'bank', 'batches')),
  clearing_code  text check (clearing_code ~ '^clearing\.[a-z0-9-]{1,40}$'),
  bank_account   text references bank_accounts,
  -- The account as its statements print it.
  account_number text check (length(account_number) between 1 and 40),
  currency       text not null check (currency ~ '^[A-Z]{3}$'),
  format         text not null check (format in ('csv', 'xlsx', 'camt.053')),
  mapping        jsonb,
  time_zone      text not null default 'Africa/Harare',
  constraint statement_sources_account check ((kind = 'bank') = (bank_account is not null) and (kind = 'bank') = (clearing_code is null)),
  constraint statement_sources_mapping check ((format = 'camt.053') = (mapping is null))
);

-- Invariant: the lines of a statement lead from its opening to its closing balance, and its opening balance is the closing balance of the
-- statement before it. A statement with rows that nobody could read (partial) is the end of its chain until they are resolved.
create table statements (
  id                uuid        primary key,
  source_id         text        not null references statement_sources,
  position          integer     not null check (position > 0),
  previous_position integer,
  follows_on        date,
  file_name         text        not null check (length(file_name) between 1 and 200),
  sha256            bytea       not null check (length(sha256) = 32),
  -- A file may have several statements.
  part              integer     not null check (part > 0),
  stated_number     text        check (length(stated_number) between 1 and 60),
  starts_on         date,
  ends_on           date        not null,
  opening_minor     bigint      not null,
  opening_from      text        not null check (opening_from in ('file', 'chain', 'operator', 'batch')),
  closing_minor     bigint      not null,
  closing_from      text        not null check (closing_from in ('file', 'operator', 'batch')),
  lines             integer     not null check (lines >= 0),
  sum_minor         bigint      not null,
  status            text        not null check (status in ('partial', 'read')),
  -- The balance with which the next statement begins.
  proved_minor      bigint      generated always as (case when status = 'read' then closing_minor end) stored,
  -- The operator's reason why nothing is missing between this statement and the one before it.
  gap_reason        text        check (length(gap_reason) between 1 and 300),
  received_at       timestamptz not null,
  received_by       text        not null check (length(received_by) between 1 and 200),
  unique (source_id, position),
  unique (source_id, sha256, part),
  unique (source_id, position, ends_on, proved_minor),
  constraint statements_chain foreign key (source_id, previous_position, follows_on, opening_minor)
    references statements (source_id, position, ends_on, proved_minor),
  constraint statements_first check (case position when 1 then previous_position is null and follows_on is null
    else previous_position = position - 1 and follows_on is not null end),
  constraint statements_forward check (ends_on >= follows_on),
  constraint statements_sum check (status = 'partial' or closing_minor = opening_minor + sum_minor)
);

-- Invariant: a line is never changed. Its key is its reference, amount, booking day and the ordinal among the equal lines of its statement:
-- banks use one reference for several payments. The same key in another statement of its source may be the same line, stated twice.
create table statement_lines (
  source_id     text    not null,
  line_key      text    not null,
  statement_id  uuid    not null references statements,
  row_number    integer not null check (row_number > 0),
  booked_on     date    not null,
  value_on      date,
  occurred_at   timestamptz,
  kind          text    not null check (kind in ('charge', 'refund', 'fee', 'tax', 'reversal', 'chargeback', 'payout', 'transfer', 'other')),
  reference     text    check (length(reference) between 1 and 140),
  our_reference text    check (length(our_reference) between 1 and 140),
  details       text    check (length(details) between 1 and 500),
  gross_minor   bigint  not null,
  fee_minor     bigint  not null,
  tax_minor     bigint  not null,
  net_minor     bigint  not null,
  primary key (source_id, line_key, statement_id),
  constraint statement_lines_net check (net_minor = gross_minor - fee_minor - tax_minor)
);
create index statement_lines_of_statement on statement_lines (statement_id, row_number);

-- The rows of a file that could not be read. A person types such a row as a line, or says why it is none.
create table statement_unread_rows (
  statement_id uuid    not null references statements,
  row_number   integer not null check (row_number > 0),
  reason       text    not null check (length(reason) between 1 and 300),
  cells        text    not null check (length(cells) <= 500),
  resolution   text    check (length(resolution) between 1 and 300),
  resolved_by  text    check (length(resolved_by) between 1 and 200),
  primary key (statement_id, row_number),
  constraint statement_unread_rows_resolved check ((resolution is null) = (resolved_by is null))
);

-- Only a partial statement changes: it gets its lines, its rows are resolved, it is closed by its lines, or it is discarded with them.
create function statements_guard() returns trigger language plpgsql as $$
begin
  if old.status = 'read' then
    raise exception 'the statement % is closed', old.id using errcode = 'restrict_violation';
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  if new.status = 'read' and (
    exists (select from statement_unread_rows where statement_id = new.id and resolution is null)
    or (new.lines, new.sum_minor) <> (select count(*), coalesce(sum(net_minor), 0) from statement_lines where statement_id = new.id)) then
    raise exception 'the statement % differs from its lines, or has rows that are not resolved', new.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger statements_guard before update or delete on statements for each row execute function statements_guard();
create trigger statements_no_truncate before truncate on statements for each statement execute function refuse_change();

create function statement_lines_insert_guard() returns trigger language plpgsql as $$
begin
  if exists (select from statements where status = 'read' and id in (select statement_id from added)) then
    raise exception 'a closed statement gets no line' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger statement_lines_insert_guard after insert on statement_lines referencing new table as added
  for each statement execute function statement_lines_insert_guard();

create function statement_parts_guard() returns trigger language plpgsql as $$
begin
  if (select status from statements where id = old.statement_id) is distinct from 'partial' then
    raise exception 'the statement % is closed', old.statement_id using errcode = 'restrict_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger statement_lines_guard before delete on statement_lines for each row execute function statement_parts_guard();
create trigger statement_lines_no_update before update on statement_lines for each row execute function refuse_change();
create trigger statement_lines_no_truncate before truncate on statement_lines for each statement execute function refuse_change();
create trigger statement_unread_rows_guard before update or delete on statement_unread_rows
  for each row execute function statement_parts_guard();
