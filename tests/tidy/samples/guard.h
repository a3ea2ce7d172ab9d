/* as server/net/x.h, must fail guard */
#ifndef X_H
#define X_H
#endif
