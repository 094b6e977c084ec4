-- The references of providers that operators have given as proof of a payment or a refund, and the payments whose provider reported a
-- reference again.

-- The same reference as people and programs write it: without case, spaces and punctuation, and with other forms of letters and digits. A
-- reference without any Latin letter or digit stays as it is.
create function provider_reference_key(reference text) returns text
language sql immutable strict parallel safe
return coalesce(
  nullif(upper(regexp_replace(normalize(reference, nfkc) collate "C", '[^A-Za-z0-9]', '', 'g')), ''),
  reference collate "C");

-- Invariant: one reference of a provider account proves one charge or one refund, of any merchant.
create table verdict_references (
  provider      text        not null,
  reference_key text        not null check (reference_key <> ''),
  account_id    uuid        not null,
  payment_id    uuid        not null,
  -- The attempt or the refund.
  cause_id      uuid        not null,
  given_at      timestamptz not null,
  primary key (provider, reference_key)
);
create trigger verdict_references_append_only before update or delete on verdict_references for each row execute function refuse_change();
create trigger verdict_references_no_truncate before truncate on verdict_references for each statement execute function refuse_change();

-- reference_repeated: the provider reported the reference of another payment or refund.
alter table payment_anomalies
  drop constraint payment_anomalies_kind_check,
  add constraint payment_anomalies_kind_check
    check (kind in ('reversed', 'contradicted', 'amount_differs', 'still_pending', 'unanswered', 'returned', 'reference_repeated')) not valid;
