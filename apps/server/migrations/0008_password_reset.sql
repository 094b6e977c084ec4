-- A code that sets a new password. Whoever asks for one is given an id before anybody knows whether an account has the address, so a
-- row may have no merchant: it counts its tries like any other and nothing verifies it.
alter table one_time_codes
  alter column merchant_id drop not null,
  add column ended_at timestamptz,
  add column resend_of uuid unique references one_time_codes (id),
  drop constraint one_time_codes_purpose_check,
  add constraint one_time_codes_purpose_check check (purpose in ('signin', 'password_reset')),
  add constraint one_time_codes_owner check (
    merchant_id is not null or (purpose = 'password_reset' and used_at is null)
  ),
  add constraint one_time_codes_one_end check (used_at is null or ended_at is null);

comment on column one_time_codes.ended_at is 'Replaced by another code, or by a new password';

create index one_time_codes_by_merchant on one_time_codes (merchant_id, purpose, created_at);

alter table sessions
  drop constraint sessions_end_reason_check,
  add constraint sessions_end_reason_check check (end_reason in ('signed_out', 'refresh_reused', 'password_reset'));

-- When each address last wrote through the contact form, under a key that tells nothing of the address.
create table contact_senders (
  address_hash bytea         primary key check (length(address_hash) = 32),
  sent_at      timestamptz[] not null,
  last_sent_at timestamptz   not null
);
create index contact_senders_last_sent_at on contact_senders (last_sent_at);
