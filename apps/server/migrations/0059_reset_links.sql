-- A mail that resets a password carries a link beside its code. The link has 256 random bits, so nobody can use up its attempts; the
-- code and the link are one row, so that the use of one ends the other.
alter table one_time_codes
  add column link_hash bytea unique check (length(link_hash) = 32),
  add column link_expires_at timestamptz,
  add constraint one_time_codes_link_whole check ((link_hash is null) = (link_expires_at is null)),
  add constraint one_time_codes_link_owner check (
    link_hash is null or (purpose = 'password_reset' and merchant_id is not null)
  );

comment on column one_time_codes.link_hash is 'Keyed hash of the link''s token, bound to its purpose';
