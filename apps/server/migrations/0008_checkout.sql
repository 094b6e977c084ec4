-- Short codes by which a payer opens the page of a payment on another phone. A payment has one code at a time. A code opens nothing that the
-- payment's link does not open; it is short because it is typed, and short-lived because it is short.
--
-- A code leads to its environment, so the table is read before the environment is known, and has no foreign key. Payments are not deleted.
create table resume_codes (
  account_id uuid        not null,
  payment_id uuid        not null,
  code       text        not null unique check (code ~ '^[ACDEFGHJKMNPQRTUVWXY]{6}$'),
  expires_at timestamptz not null,
  primary key (account_id, payment_id)
);
create index resume_codes_by_expiry on resume_codes (expires_at);
