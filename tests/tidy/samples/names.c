/* as server/net/x.c, must fail names */
typedef struct foo foo_t;
