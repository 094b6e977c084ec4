curl --get "$MURIPO_URL/api/v1/payments" \
  -H "Authorization: Bearer $MURIPO_KEY" \
  -d status=pending \
  -d limit=10
