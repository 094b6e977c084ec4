curl "$MURIPO_URL/api/v1/payments/$PAYMENT_ID" \
  -H "Authorization: Bearer $MURIPO_KEY"
